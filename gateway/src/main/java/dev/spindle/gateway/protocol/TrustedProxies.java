// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.gateway.config.Network;
import dev.spindle.gateway.config.TrustConfig;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The search for the address of a client behind trusted proxies. Immutable, so any thread may call any method.
 *
 * <p>Each proxy appends the address that it was called from. The search begins at the peer of the connection, goes back
 * from entry to entry while the address found is that of a trusted proxy, and ends at the first address that is not, or
 * before the first entry that is no address. What a client wrote itself is thus never reached.
 */
public final class TrustedProxies {
    private static final String X_FORWARDED_FOR = "x-forwarded-for";
    private static final String X_FORWARDED_PROTO = "x-forwarded-proto";
    private static final String FORWARDED = "forwarded";

    private final TrustConfig config;
    private final boolean standard;

    /** Creates the search. */
    public TrustedProxies(TrustConfig config) {
        this.config = config;
        standard = config.by() == TrustConfig.By.FORWARDED;
    }

    /** Returns whether a connection from {@code peer} begins with a header of the PROXY protocol. */
    public boolean sendsHeader(@Nullable InetAddress peer) {
        return config.by() == TrustConfig.By.PROXY_PROTOCOL && peer != null && config.trusts(peer);
    }

    /** Returns whether the fields of requests from {@code peer} are read. */
    public boolean sendsFields(@Nullable InetAddress peer) {
        return config.by() != TrustConfig.By.PROXY_PROTOCOL && peer != null && config.trusts(peer);
    }

    /** Returns the address of the client of a request that a trusted proxy has sent. */
    public InetAddress client(InetAddress peer, HttpHeaders headers) {
        List<String> fields = headers.getAll(standard ? FORWARDED : X_FORWARDED_FOR);
        InetAddress found = peer;
        for (int i = fields.size() - 1; i >= 0; i--) {
            String field = fields.get(i);
            for (int end = field.length(); end >= 0; ) {
                if (!config.trusts(found)) {
                    return found;
                }
                int comma = comma(field, end);
                String entry = field.substring(comma + 1, end).strip();
                InetAddress next = entry.isEmpty() ? found : standard ? node(parameter(entry, "for")) : node(entry);
                if (next == null) {
                    return found;
                }
                found = next;
                end = comma;
            }
        }
        return found;
    }

    /** Returns the scheme that the nearest proxy was called with; {@code otherwise} if it does not tell. */
    public String scheme(HttpHeaders headers, String otherwise) {
        List<String> fields = headers.getAll(standard ? FORWARDED : X_FORWARDED_PROTO);
        if (fields.isEmpty()) {
            return otherwise;
        }
        String last = fields.get(fields.size() - 1);
        String entry = last.substring(comma(last, last.length()) + 1).strip();
        String scheme = standard ? parameter(entry, "proto") : entry;
        String lower = scheme == null ? "" : scheme.toLowerCase(Locale.ROOT);
        return lower.equals("http") || lower.equals("https") ? lower : otherwise;
    }

    /**
     * Returns the index of the last comma before {@code end} that is not in a quoted string, or -1. The search goes
     * backwards, since the end of the field is that of the trusted proxy.
     */
    private static int comma(String field, int end) {
        boolean quoted = false;
        for (int i = end - 1; i >= 0; i--) {
            char c = field.charAt(i);
            if (c == '"' && !(quoted && i > 0 && field.charAt(i - 1) == '\\')) {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the value of a parameter of an entry of Forwarded; null if it is not there, or is there twice. */
    private static @Nullable String parameter(String entry, String name) {
        String found = null;
        for (String pair : entry.split(";", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase(name)) {
                if (found != null) {
                    return null;
                }
                String value = pair.substring(equals + 1).strip();
                boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                found = quoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return found;
    }

    /** Returns the address of a node, which may have a port; null if the node is no address. */
    private static @Nullable InetAddress node(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            return end > 0 && isPort(text, end + 1) ? Network.address(text.substring(1, end)) : null;
        }
        int colon = text.indexOf(':');
        boolean withPort = colon >= 0 && text.indexOf(':', colon + 1) < 0;
        if (withPort) {
            return isPort(text, colon) ? Network.address(text.substring(0, colon)) : null;
        }
        return Network.address(text);
    }

    /** Returns whether the rest of a text is empty, or a colon and a port. */
    private static boolean isPort(String text, int from) {
        return from == text.length() || text.substring(from).matches(":[0-9]{1,5}");
    }
}
