// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;

/**
 * The target of a request.
 *
 * @param path the normalised path
 * @param query the query with its question mark; empty if there is none
 */
public record Target(String path, String query) {
    /**
     * Returns the target of a request. An absolute form is split into path and query, and its host replaces the Host
     * field.
     *
     * @throws Refusal if no backend may get this target
     */
    public static Target of(HttpRequest request) throws Refusal {
        String uri = originForm(request);
        int mark = uri.indexOf('?');
        String path = PathRules.normalise(mark < 0 ? uri : uri.substring(0, mark));
        String query = mark < 0 ? "" : uri.substring(mark);
        if (query.indexOf('#') >= 0) {
            throw new Refusal(400, "a fragment in the request line");
        }
        return new Target(path, query);
    }

    private static String originForm(HttpRequest request) throws Refusal {
        String uri = request.uri();
        int scheme = uri.startsWith("http://") ? 7 : uri.startsWith("https://") ? 8 : 0;
        if (scheme == 0) {
            return uri;
        }
        int slash = uri.indexOf('/', scheme);
        String authority = slash < 0 ? uri.substring(scheme) : uri.substring(scheme, slash);
        if (authority.isEmpty() || !RequestRules.isAuthority(authority)) {
            throw new Refusal(400, "an absolute form without a host");
        }
        request.headers().set(HttpHeaderNames.HOST, authority);
        return slash < 0 ? "/" : uri.substring(slash);
    }

    /** Returns whether a body follows the head of a request. */
    public static boolean saysBody(HttpRequest request) {
        String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING) || (length != null && !length.equals("0"));
    }
}
