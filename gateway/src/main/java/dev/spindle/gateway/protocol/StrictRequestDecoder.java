// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.gateway.config.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * A decoder of HTTP/1.1 requests that refuses requests which another parser might read differently.
 *
 * <p>Netty's decoder is lenient, so {@link WireGuard} checks each byte that the decoder has consumed. A failure is
 * passed on as a request, or as the last content of a body, whose decoder result has the {@link Refusal}. No message
 * follows a failure. Confined to the event loop of its connection.
 */
public final class StrictRequestDecoder extends HttpRequestDecoder {
    private final WireGuard guard;
    /** True if a head was decoded and the end of its message was not. */
    private boolean inBody;
    /** True if bytes have arrived that the decoder has not consumed. */
    private boolean leftover;

    /** Creates the decoder of one connection, with the limits of line, head and fields. */
    public StrictRequestDecoder(Limits limits) {
        super(config(limits.line(), limits.head()));
        guard = new WireGuard(true, limits.fields());
    }

    /**
     * Returns the configuration of a decoder.
     *
     * @param line the maximum bytes of a first line
     * @param head the maximum bytes of all fields
     */
    static HttpDecoderConfig config(int line, int head) {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(line)
                .setMaxHeaderSize(head)
                .setMaxChunkSize(64 << 10)
                .setValidateHeaders(false); // the guard checks each byte
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (guard.isBroken()) { // WireGuard-3
            in.skipBytes(in.readableBytes());
            return;
        }
        int start = in.readerIndex();
        int before = out.size();
        super.decode(ctx, in, out);
        guard.consumed(in, start, out, before, true, this::failed);
        for (int i = before; i < out.size(); i++) {
            Object decoded = out.get(i);
            inBody = !(decoded instanceof LastHttpContent) && (inBody || decoded instanceof HttpRequest);
        }
        leftover = in.isReadable();
    }

    /** Refuses malformed versions, of which Netty's parser accepts some, for example in lower case. */
    @Override
    protected HttpMessage createMessage(String[] firstLine) throws Exception {
        if (!RequestRules.isVersion(firstLine[2])) {
            throw new Refusal(400, "a version that is none");
        }
        return super.createMessage(firstLine);
    }

    private Object failed(DecoderResult failure) {
        return failed(failure, inBody);
    }

    /** Returns the object that carries a failure: the end of a body if one has begun, otherwise a request. */
    static Object failed(DecoderResult failure, boolean inBody) {
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
        return !inBody && !guard.isBroken() && (leftover || guard.isInHead());
    }
}
