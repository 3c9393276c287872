// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/** Decodes answers of backends as strictly as requests are decoded. */
final class StrictResponseDecoder extends HttpResponseDecoder {
    private static final int LINE = 8 << 10;
    private static final int HEAD = 64 << 10;
    private static final int FIELDS = 500;

    private final WireGuard guard = new WireGuard(false, FIELDS);
    private boolean head;
    private boolean bodiless;
    private boolean leftover;

    StrictResponseDecoder() {
        super(StrictRequestDecoder.config(LINE, HEAD));
    }

    /** Says whether the next answer is one to a HEAD request, which has no body. */
    void answersHead(boolean is) {
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
        guard.consumed(in, start, out, before, !bodiless, StrictResponseDecoder::failed);
        leftover = in.isReadable();
    }

    /** The parsers of version and status take lower case, signs and any number of digits. */
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

    /** Returns whether all bytes that came belong to answers that are complete. */
    boolean isBetweenAnswers() {
        return !leftover && !guard.isInHead();
    }
}
