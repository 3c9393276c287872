// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.gateway.config.Limits;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A decoder of HTTP/1.1 requests that refuses requests which another parser might read differently.
 *
 * <p>A failure is passed on as a request, or as the last content of a body, whose decoder result has the
 * {@link Refusal}. No message follows a failure. Confined to the event loop of its connection.
 */
public final class StrictRequestDecoder extends StrictDecoder {
    private static final byte[] VERSION = HttpVersion.HTTP_1_1.text().getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GET = HttpMethod.GET.name().getBytes(StandardCharsets.US_ASCII);

    /** Creates the decoder of one connection, with the limits of line, head and fields. */
    public StrictRequestDecoder(Limits limits) {
        super(true, limits.line(), limits.head(), limits.fields());
    }

    @Override
    HttpRequest message(byte[] head, int end, HttpHeaders fields) throws Refusal {
        int target = indexOfBlank(head, 0, end) + 1;
        int version = indexOfBlank(head, target, end) + 1;
        if (target == end + 1 || version == end + 1 || version == target + 1) {
            throw new Refusal(400, "a request line without method, target or version");
        }
        String uri = text(head, target, version - 1);
        return new DefaultHttpRequest(
                version(head, version, end),
                method(head, target - 1),
                uri,
                uri.startsWith("/") ? fields : fields.copy()); // Target may replace Host
    }

    private static int indexOfBlank(byte[] head, int from, int end) {
        int i = from;
        while (i < end && head[i] != ' ') {
            i++;
        }
        return i;
    }

    private static String text(byte[] head, int from, int to) {
        return new String(head, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static HttpVersion version(byte[] head, int from, int end) throws Refusal {
        if (Arrays.equals(head, from, end, VERSION, 0, VERSION.length)) {
            return HttpVersion.HTTP_1_1;
        }
        String text = text(head, from, end);
        if (!RequestRules.isVersion(text)) {
            throw new Refusal(400, "a version that is none");
        }
        return HttpVersion.valueOf(text);
    }

    private static HttpMethod method(byte[] head, int end) throws Refusal {
        if (end == GET.length && Arrays.equals(head, 0, end, GET, 0, end)) {
            return HttpMethod.GET;
        }
        for (int i = 0; i < end; i++) {
            if (!HeadRules.isPlain(head[i], HeadRules.IN_NAME)) {
                throw new Refusal(400, "a method that is no token");
            }
        }
        return HttpMethod.valueOf(text(head, 0, end));
    }

    @Override
    boolean isBodiless(HttpMessage message) {
        return false;
    }

    @Override
    Object failed(DecoderResult failure, boolean inBody) {
        return failure(failure, inBody);
    }

    /** Returns the object that carries a failure: the end of a body if one has begun, otherwise a request. */
    static Object failure(DecoderResult failure, boolean inBody) {
        if (inBody) {
            DefaultLastHttpContent content = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
            content.setDecoderResult(failure);
            return content;
        }
        DefaultHttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.setDecoderResult(failure);
        return request;
    }

    /** Returns whether a head has begun and not ended, so that its time limit runs. */
    public boolean isInHead() {
        return hasPartOfHead();
    }
}
