// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/**
 * A decoder of backends' answers, as strict as the decoder of requests.
 *
 * <p>Confined to the event loop of its connection. Before each call, the connection tells the decoder whether the
 * answer can have a body.
 */
public final class StrictResponseDecoder extends StrictDecoder {
    /** The maximum bytes of a status line. */
    private static final int LINE = 8 << 10;
    /** The maximum bytes of all fields of a head. Not measured. */
    private static final int HEAD = 64 << 10;
    /** The maximum number of fields of a head. */
    private static final int FIELDS = 500;

    /** The bytes of a version, up to its last digit. */
    private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    /** The number of bytes of a version and a status. */
    private static final int SHORTEST = "HTTP/1.1 200".length();

    /** True if the next answer is to a HEAD request. */
    private boolean head;

    /** Creates the decoder of one connection. */
    public StrictResponseDecoder() {
        super(false, LINE, HEAD, FIELDS);
    }

    /** Sets whether the next answer is the answer to a HEAD request, which has no body. */
    public void answersHead(boolean is) {
        head = is;
    }

    /** Makes the answer, without the reason after its status. */
    @Override
    HttpResponse message(byte[] head, int end, HttpHeaders fields) throws Refusal {
        int minor = end < SHORTEST ? -1 : head[VERSION.length] - '0';
        boolean isKnown = (minor == 0 || minor == 1)
                && head[VERSION.length + 1] == ' '
                && (end == SHORTEST || head[SHORTEST] == ' ');
        for (int i = 0; i < VERSION.length && isKnown; i++) {
            isKnown = head[i] == VERSION[i];
        }
        int status = 0;
        for (int i = SHORTEST - 3; i < SHORTEST && isKnown; i++) {
            isKnown = head[i] >= '0' && head[i] <= '9';
            status = 10 * status + head[i] - '0';
        }
        if (!isKnown || status < 100) {
            throw new Refusal(502, "a status line that is none of HTTP/1.1 or HTTP/1.0");
        }
        return new DefaultHttpResponse(
                minor == 0 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), fields);
    }

    @Override
    boolean isBodiless(HttpMessage message) {
        int status = ((HttpResponse) message).status().code();
        return head || status < 200 || status == 204 || status == 304; // H2
    }

    @Override
    Object failed(DecoderResult failure, boolean inBody) {
        DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_GATEWAY);
        response.setDecoderResult(failure);
        return response;
    }

    /** Returns whether all bytes received belong to complete answers. */
    public boolean isBetweenAnswers() {
        return isBetweenMessages(); // ConnectionPool-4
    }
}
