// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/**
 * A decoder of backends' answers, as strict as the decoder of requests.
 *
 * <p>Confined to the event loop of its connection. Before each call, the connection tells the decoder whether the
 * answer can have a body.
 */
public final class StrictResponseDecoder extends HttpResponseDecoder {
    /** The maximum bytes of a status line. */
    private static final int LINE = 8 << 10;
    /** The maximum bytes of all fields of a head. Not measured. */
    private static final int HEAD = 64 << 10;
    /** The maximum number of fields of a head. */
    private static final int FIELDS = 500;

    private final WireGuard guard = new WireGuard(false, FIELDS);
    /** True if the next answer is to a HEAD request. */
    private boolean head;
    /** True if the answer being decoded has no body, regardless of its fields. */
    private boolean bodiless;
    /** True if bytes have arrived that the decoder has not consumed. */
    private boolean leftover;

    /** Creates the decoder of one connection. */
    public StrictResponseDecoder() {
        super(StrictRequestDecoder.config(LINE, HEAD));
    }

    /** Sets whether the next answer is the answer to a HEAD request, which has no body. */
    public void answersHead(boolean is) {
        head = is;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        bodiless = head || super.isContentAlwaysEmpty(message);
        return bodiless;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (guard.isBroken()) {
            in.skipBytes(in.readableBytes());
            return;
        }
        int start = in.readerIndex();
        int before = out.size();
        super.decode(ctx, in, out);
        guard.consumed(in, start, out, before, !bodiless, StrictResponseDecoder::failed); // H2
        leftover = in.isReadable();
    }

    /** Refuses versions except HTTP/1.1 and HTTP/1.0, and a status that is not three digits. */
    @Override
    protected HttpMessage createMessage(String[] firstLine) {
        boolean known = firstLine[0].equals("HTTP/1.1") || firstLine[0].equals("HTTP/1.0");
        if (!known || !RequestRules.isStatus(firstLine[1])) {
            throw new IllegalArgumentException("a status line that is none of HTTP/1.1 or HTTP/1.0");
        }
        return super.createMessage(firstLine);
    }

    private static Object failed(DecoderResult failure) {
        DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_GATEWAY);
        response.setDecoderResult(failure);
        return response;
    }

    /** Returns whether all bytes received belong to complete answers. */
    public boolean isBetweenAnswers() {
        return !leftover && !guard.isInHead(); // ConnectionPool-4
    }
}
