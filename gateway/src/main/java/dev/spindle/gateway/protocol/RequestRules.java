// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/**
 * Rules that make a head unambiguous. Stateless, so any thread may call any method.
 *
 * <p>A head that the decoder has refused has a failed decoder result. The other rules are
 * checked here, for HTTP/1.1 and HTTP/2.
 */
public final class RequestRules {
    private RequestRules() {}

    /**
     * Checks the head of a request.
     *
     * @throws Refusal if the request violates a rule
     */
    public static void check(HttpRequest request) throws Refusal {
        decoded(request);
        HttpVersion version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            throw new Refusal(505, "the version " + version);
        }
        String method = request.method().name();
        if (method.equalsIgnoreCase("CONNECT") || method.equalsIgnoreCase("TRACE")) {
            throw new Refusal(501, "the method " + method);
        }
        if (isWebSocket(request)) {
            throw new Refusal(501, "a handshake of WebSocket");
        }
        if (request.headers().contains(HttpHeaderNames.SEC_WEBSOCKET_KEY1)) {
            throw new Refusal(
                    400, "a handshake of a draft, which other parsers give a body of 8 bytes without a length");
        }
        checkHost(request.headers().getAll(HttpHeaderNames.HOST), version.equals(HttpVersion.HTTP_1_0));
        String expect = request.headers().get(HttpHeaderNames.EXPECT);
        if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
            throw new Refusal(417, "an expectation other than 100-continue");
        }
    }

    /**
     * Returns whether a request asks for WebSocket, after which other bytes would follow. Any other Upgrade is ignored,
     * as the standard permits.
     */
    private static boolean isWebSocket(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return headers.contains(HttpHeaderNames.UPGRADE)
                && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true);
    }

    /** Throws a {@link Refusal} if the decoder has refused the message. */
    public static void decoded(HttpMessage message) throws Refusal {
        if (message.decoderResult().isFailure()) {
            throw of(message.decoderResult().cause());
        }
    }

    /** Returns whether {@code text} is a correctly written version, such as {@code HTTP/1.1}, in upper case. */
    static boolean isVersion(String text) {
        return text.equals("HTTP/1.1")
                || (text.length() == "HTTP/1.1".length()
                        && text.startsWith("HTTP/")
                        && isDigit(text.charAt(5))
                        && text.charAt(6) == '.'
                        && isDigit(text.charAt(7)));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /**
     * Returns whether the bytes after a refused request may be read differently by another parser, so that the
     * connection must end.
     */
    public static boolean endsConnection(HttpRequest request, Refusal refusal) {
        return refusal.status() == 400
                || refusal.status() == 505
                || request.method().name().equalsIgnoreCase("CONNECT") // the bytes of a tunnel follow
                || isWebSocket(request);
    }

    /** Returns the refusal for a failure of the decoder. */
    public static Refusal of(Throwable cause) {
        if (cause instanceof Refusal refusal) {
            return refusal;
        }
        return new Refusal(400, "a malformed message: " + cause.getMessage());
    }

    /** Returns whether the head of a message states where its body ends. */
    public static boolean statesEnd(HttpMessage message) {
        return message.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
                || message.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    private static void checkHost(List<String> hosts, boolean optional) throws Refusal {
        if (hosts.isEmpty() && optional) {
            return;
        }
        if (hosts.size() != 1) {
            throw new Refusal(400, hosts.isEmpty() ? "no Host" : "more than one Host");
        }
        if (!isAuthority(hosts.get(0))) {
            throw new Refusal(400, "a Host that is none");
        }
    }

    /** Returns whether {@code host} has only characters of a host and a port. */
    static boolean isAuthority(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean fine = isAlphanumeric(c) || ".-:_[]".indexOf(c) >= 0;
            if (!fine) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
