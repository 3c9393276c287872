// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.protocol.TrustedProxies;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a client's connection: the client itself, or a trusted proxy.
 *
 * @param host the address, as text
 * @param secure true if the connection has TLS
 * @param proxy the address, if it is that of a trusted proxy whose fields count; null otherwise
 * @param proxies the search for the client behind a proxy; null if no proxy is trusted
 */
record Peer(
        String host,
        boolean secure,
        @Nullable InetAddress proxy,
        @Nullable TrustedProxies proxies) {
    /** Returns the other end of a connection. */
    static Peer of(Channel connection, boolean secure, @Nullable TrustedProxies proxies) {
        InetAddress address = Transport.address(connection);
        boolean counts = proxies != null && proxies.sendsFields(address);
        return new Peer(Transport.host(connection), secure, counts ? address : null, proxies);
    }

    /** Returns the address of the client of a request; the address of the connection if no head was read. */
    String client(@Nullable HttpRequest request) {
        return proxy == null || proxies == null || request == null
                ? host
                : proxies.client(proxy, request.headers()).getHostAddress();
    }

    /** Returns the scheme that the client has used. */
    String scheme(HttpRequest request) {
        String own = secure ? "https" : "http";
        return proxy == null || proxies == null ? own : proxies.scheme(request.headers(), own);
    }
}
