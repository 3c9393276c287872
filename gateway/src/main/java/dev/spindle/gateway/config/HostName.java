// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host of a request or of a route, in the one spelling by which hosts are compared: lower case, without a dot at
 * the end, an IPv6 address in its canonical form.
 *
 * @param name the host; an IPv6 address has brackets, and a pattern begins with a star
 * @param port the port; -1 if none is written
 */
public record HostName(String name, int port) {
    private static final Pattern FORM =
            Pattern.compile("(\\[[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*)\\.?(?::([0-9]{0,5}))?");
    /** The maximum number of characters of a name in DNS, with brackets or a port. */
    private static final int LONGEST = 262;

    private static final int LARGEST_PORT = 65_535;

    /** Returns the host that {@code text} denotes, as the field Host writes it; null if it denotes none. */
    public static @Nullable HostName parse(String text) {
        Matcher found = FORM.matcher(text);
        if (text.length() > LONGEST || !found.matches()) {
            return null;
        }
        String digits = found.group(2);
        int port = digits == null || digits.isEmpty() ? -1 : Integer.parseInt(digits);
        String host = String.valueOf(found.group(1)).toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            host = text.contains("].") ? "" : canonical(host);
        }
        return host.isEmpty() || port > LARGEST_PORT || port == 0 ? null : new HostName(host, port);
    }

    /** Returns the canonical form of an IPv6 address in brackets; empty if it is none. */
    private static String canonical(String host) {
        InetAddress address = host.indexOf(':') < 0 ? null : Network.address(host.substring(1, host.length() - 1));
        return address == null ? "" : "[" + address.getHostAddress() + "]";
    }

    /**
     * Returns the host of a route, which may begin with {@code *.} for all hosts below it.
     *
     * @throws IllegalArgumentException if {@code text} is no host
     */
    static HostName pattern(String text) {
        boolean below = text.startsWith("*.");
        HostName host = parse(below ? text.substring(2) : text);
        if (host == null || (below && host.name.startsWith("["))) {
            throw new IllegalArgumentException("'" + text
                    + "' is no host of a route; write for example shop.example, shop.example:8443 or *.shop.example");
        }
        return below ? new HostName("*." + host.name, host.port) : host;
    }

    @Override
    public String toString() {
        return port < 0 ? name : name + ":" + port;
    }
}
