// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The IP addresses that begin with the same bits.
 *
 * @param base an address of the network
 * @param bits the number of bits that all addresses of the network share
 */
public record Network(InetAddress base, int bits) {
    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern V4 = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");
    private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

    /**
     * Returns the network that {@code text} denotes: an address, or an address with the number of shared bits, such as
     * {@code 10.0.0.0/8}.
     *
     * @throws IllegalArgumentException if {@code text} is no network
     */
    static Network parse(String text) {
        int slash = text.indexOf('/');
        InetAddress base = address(slash < 0 ? text : text.substring(0, slash));
        int most = base == null ? 0 : base.getAddress().length * 8;
        int bits = slash < 0 ? most : bits(text.substring(slash + 1));
        if (base == null || bits < 0 || bits > most) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no address or network; write for example 10.0.0.5, 10.0.0.0/8 or fd00::/8");
        }
        return new Network(base, bits);
    }

    private static int bits(String digits) {
        return digits.matches("0|[1-9][0-9]{0,2}") ? Integer.parseInt(digits) : -1;
    }

    /** Returns the address that {@code text} denotes; null if it is no IP address in its usual form. */
    public static @Nullable InetAddress address(String text) {
        boolean isV4 = V4.matcher(text).matches();
        if (!isV4 && !(text.indexOf(':') >= 0 && V6.matcher(text).matches())) {
            return null;
        }
        try {
            return InetAddress.getByName(isV4 ? text : "[" + text + "]"); // a literal, so that no name is resolved
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Returns whether an address is of this network. */
    public boolean contains(InetAddress address) {
        byte[] one = base.getAddress();
        byte[] other = address.getAddress();
        if (one.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += 8) {
            int mask = bits - bit >= 8 ? 0xff : 0xff << (8 - bits + bit);
            if (((one[bit / 8] ^ other[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return base.getHostAddress() + "/" + bits;
    }
}
