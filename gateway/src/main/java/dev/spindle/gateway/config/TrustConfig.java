// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.util.List;

/**
 * The proxies in front whose word on the client's address counts.
 *
 * @param from the addresses of the proxies
 * @param by the way in which they tell the address; the other ways are ignored
 */
public record TrustConfig(List<Network> from, By by) {
    /** Creates the rule. */
    public TrustConfig {
        from = List.copyOf(from);
        requireNonNull(by, "by");
    }

    /** The ways in which a proxy tells the address of its client. */
    public enum By {
        /** The field X-Forwarded-For. */
        X_FORWARDED_FOR,
        /** The field Forwarded of RFC 7239. */
        FORWARDED,
        /** The PROXY protocol, version 1 or 2, at the begin of a connection. */
        PROXY_PROTOCOL
    }

    /** Returns whether an address is that of a trusted proxy. */
    public boolean trusts(InetAddress address) {
        for (Network network : from) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
