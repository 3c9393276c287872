// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides which requests a page answers. */
final class Guard {
    private static final Pattern LOOPBACK =
            Pattern.compile("(?i)(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");
    private static final String BEARER = "Bearer ";

    private final byte @Nullable [] token;
    private final boolean onLoopback;
    private final String cookie;

    /** An answer: the page's own if {@code status} is 200. */
    record Verdict(int status, String text) {
        static final Verdict PASS = new Verdict(200, "");
    }

    Guard(Settings settings, int port) {
        String given = settings.token();
        token = given == null ? null : given.getBytes(StandardCharsets.US_ASCII);
        onLoopback = settings.address().isLoopbackAddress();
        cookie = "spindle-page-" + port; // cookies are shared by the ports of a host
    }

    /** Returns the answer to a request that comes without a body. */
    Verdict check(String method, URI uri, Headers headers) {
        if (!method.equals("GET")) {
            return new Verdict(405, "This page answers GET alone.");
        }
        String host = headers.getFirst("Host");
        // Without a token, another name is that of a site that has made its name point here.
        if (token == null
                && onLoopback
                && (host == null || !LOOPBACK.matcher(host).matches())) {
            return new Verdict(403, "The host must be localhost or a loopback address.");
        }
        String site = headers.getFirst("Sec-Fetch-Site");
        boolean navigates = "navigate".equals(headers.getFirst("Sec-Fetch-Mode"));
        if (site != null && !site.equals("same-origin") && !site.equals("none") && !navigates) {
            return new Verdict(403, "Another site asked for this.");
        }
        if (token == null || isToken(cookieOf(headers)) || isToken(bearerOf(headers)) || isToken(tokenOf(uri))) {
            return Verdict.PASS;
        }
        return new Verdict(401, "A token is needed: as ?token= once, or as Authorization: Bearer.");
    }

    /** Returns the value of {@code Set-Cookie} if {@code uri} is that of the page and has the token, else null. */
    @Nullable
    String cookieFor(URI uri) {
        String given = tokenOf(uri);
        boolean isFirst = "/".equals(uri.getPath()) && isToken(given);
        return isFirst ? cookie + "=" + given + "; Path=/; HttpOnly; SameSite=Strict" : null;
    }

    private boolean isToken(@Nullable String given) {
        return token != null
                && given != null
                && MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8)); // takes the same time always
    }

    private static @Nullable String tokenOf(URI uri) {
        return parameter(uri, "token");
    }

    private static @Nullable String bearerOf(Headers headers) {
        String given = headers.getFirst("Authorization");
        return given != null && given.startsWith(BEARER) ? given.substring(BEARER.length()) : null;
    }

    private @Nullable String cookieOf(Headers headers) {
        for (String line : headers.getOrDefault("Cookie", List.of())) {
            for (String pair : line.split(";", -1)) {
                String[] parts = pair.strip().split("=", 2);
                if (parts.length == 2 && parts[0].equals(cookie)) {
                    return parts[1];
                }
            }
        }
        return null;
    }

    /** Returns a parameter of the query of {@code uri}, or null if it is missing or malformed. */
    static @Nullable String parameter(URI uri, String name) {
        String query = uri.getRawQuery();
        if (query == null) {
            return null;
        }
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                try {
                    return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    return null; // a percent sign without two digits
                }
            }
        }
        return null;
    }
}
