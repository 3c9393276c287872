// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

/**
 * A host and a port. Immutable.
 *
 * @param host a host name or an IP address, without brackets
 * @param port the port, from 0 to 65535; for 0 the system chooses one
 */
public record Address(String host, int port) {
    /**
     * Creates an address.
     *
     * @throws IllegalArgumentException if the host is empty or the port out of range
     */
    public Address {
        if (requireNonNull(host, "host").isEmpty()) {
            throw new IllegalArgumentException("the host is empty; write for example 127.0.0.1:8080");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("the port must be from 0 to 65535, is " + port);
        }
    }

    /**
     * Returns the address that {@code text} denotes: {@code host:port}, {@code [v6]:port}, or only a port, which means
     * all interfaces.
     *
     * @throws IllegalArgumentException if {@code text} is not an address
     */
    public static Address parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "0.0.0.0" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no address; an IPv6 host stands in brackets, [::1]:8080");
        }
        try {
            return new Address(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no address; write for example 127.0.0.1:8080", e);
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
