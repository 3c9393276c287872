// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.gateway.config.Network;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A header of the PROXY protocol, version 1 or 2, with which a connection begins.
 *
 * @param client the address of the client; null if the header tells none, as for checks of the proxy itself
 */
public record ProxyHeader(@Nullable InetAddress client) {
    private static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};
    private static final byte[] WORD = {'P', 'R', 'O', 'X', 'Y', ' '};
    /** The bytes of a version 2 header before its addresses. */
    private static final int FIXED = 16;
    /** The maximum bytes of a line of version 1, its end included. */
    private static final int LONGEST_LINE = 107;
    /** The maximum bytes of a version 2 header; the protocol would allow 64 KiB of extensions. Not measured. */
    private static final int LONGEST = 4_096;

    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int OF_TCP4 = 12;
    private static final int OF_TCP6 = 36;

    /**
     * Reads a header, and moves the reader index behind it.
     *
     * @return the header; null if more bytes are needed, and the reader index has not moved
     * @throws Refusal if the bytes are not the begin of a header
     */
    public static @Nullable ProxyHeader read(ByteBuf in) throws Refusal {
        if (!in.isReadable()) {
            return null;
        }
        return in.getByte(in.readerIndex()) == WORD[0] ? line(in) : binary(in);
    }

    private static Refusal malformed() {
        return new Refusal(400, "a malformed header of the PROXY protocol, or none");
    }

    /** Throws unless the received bytes are a beginning of {@code expected}, or begin with it. */
    private static boolean hasAll(ByteBuf in, byte[] expected) throws Refusal {
        int there = Math.min(expected.length, in.readableBytes());
        for (int i = 0; i < there; i++) {
            if (in.getByte(in.readerIndex() + i) != expected[i]) {
                throw malformed();
            }
        }
        return there == expected.length;
    }

    private static @Nullable ProxyHeader line(ByteBuf in) throws Refusal {
        if (!hasAll(in, WORD)) {
            return null;
        }
        int most = Math.min(LONGEST_LINE, in.readableBytes());
        int feed = in.indexOf(in.readerIndex(), in.readerIndex() + most, (byte) '\n');
        if (feed < 0) {
            if (most == LONGEST_LINE) {
                throw malformed();
            }
            return null;
        }
        String line = in.toString(in.readerIndex(), feed - in.readerIndex(), StandardCharsets.US_ASCII);
        if (!line.endsWith("\r")) {
            throw malformed();
        }
        String[] words = line.substring(0, line.length() - 1).split(" ", -1);
        InetAddress client = null;
        if (!words[1].equals("UNKNOWN")) {
            client = client(words);
        }
        in.readerIndex(feed + 1);
        return new ProxyHeader(client);
    }

    private static InetAddress client(String[] words) throws Refusal {
        int length = words[1].equals("TCP4") ? 4 : words[1].equals("TCP6") ? 16 : 0;
        if (words.length != 6 || length == 0 || !isPort(words[4]) || !isPort(words[5])) {
            throw malformed();
        }
        InetAddress from = Network.address(words[2]);
        InetAddress to = Network.address(words[3]);
        boolean six = words[2].indexOf(':') >= 0 && words[3].indexOf(':') >= 0; // an IPv4 address may be mapped
        boolean four = words[2].indexOf(':') < 0 && words[3].indexOf(':') < 0;
        if (from == null || to == null || !(length == 4 ? four : six)) {
            throw malformed();
        }
        return from;
    }

    private static boolean isPort(String text) {
        return text.matches("0|[1-9][0-9]{0,4}") && Integer.parseInt(text) <= 65_535;
    }

    private static @Nullable ProxyHeader binary(ByteBuf in) throws Refusal {
        if (!hasAll(in, SIGNATURE) || in.readableBytes() < FIXED) {
            return null;
        }
        int begin = in.readerIndex();
        int command = in.getUnsignedByte(begin + 12);
        int family = in.getUnsignedByte(begin + 13);
        int length = in.getUnsignedShort(begin + 14);
        if ((command != LOCAL && command != PROXY) || FIXED + length > LONGEST) {
            throw malformed();
        }
        if (in.readableBytes() < FIXED + length) {
            return null;
        }
        InetAddress client = command == LOCAL ? null : client(in, begin + FIXED, family, length);
        in.readerIndex(begin + FIXED + length);
        return new ProxyHeader(client);
    }

    /** Returns the source address of version 2; null for families without IP addresses. */
    private static @Nullable InetAddress client(ByteBuf in, int at, int family, int length) throws Refusal {
        int needed = switch (family) {
            case 0x11, 0x12 -> OF_TCP4;
            case 0x21, 0x22 -> OF_TCP6;
            case 0x00, 0x31, 0x32 -> 0;
            default -> throw malformed();
        };
        if (length < needed) {
            throw malformed();
        }
        if (needed == 0) {
            return null;
        }
        byte[] bytes = new byte[needed == OF_TCP4 ? 4 : 16];
        in.getBytes(at, bytes);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(Arrays.toString(bytes), e);
        }
    }
}
