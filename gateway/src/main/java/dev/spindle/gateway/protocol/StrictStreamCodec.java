// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.gateway.config.Limits;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.codec.http2.HttpConversionUtil;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * A codec that makes the request of an HTTP/2 stream from its frames, and applies the same rules as for HTTP/1.1.
 *
 * <p>One codec serves one stream, on the event loop of the connection. After a refusal the codec drops all frames that
 * follow.
 */
public final class StrictStreamCodec extends Http2StreamFrameToHttpObjectCodec {
    private final HeadRules rules;
    /** True if the head has arrived; a second head is a trailer. */
    private boolean inBody;
    /** True if a refusal was forwarded. */
    private boolean refused;

    /** Creates the codec of one stream. */
    public StrictStreamCodec(Limits limits) {
        super(true);
        rules = new HeadRules(limits);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, Http2StreamFrame frame, List<Object> out) throws Exception {
        if (refused) {
            return;
        }
        if (!(frame instanceof Http2HeadersFrame head)) {
            super.decode(ctx, frame, out);
            return;
        }
        try {
            if (inBody) {
                rules.checkFields(head.headers()); // H8
                super.decode(ctx, frame, out);
            } else {
                out.add(request(head));
                end(head, out);
            }
        } catch (Refusal refusal) {
            refused = true;
            out.add(StrictRequestDecoder.failure(DecoderResult.failure(refusal), inBody));
            if (!inBody) {
                end(head, out);
            }
        }
        inBody = true;
    }

    private static void end(Http2HeadersFrame head, List<Object> out) {
        if (head.isEndStream()) {
            out.add(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    private HttpRequest request(Http2HeadersFrame frame) throws Refusal, Http2Exception {
        Http2Headers head = frame.headers();
        rules.checkHead(head);
        CharSequence host = head.get(HttpHeaderNames.HOST);
        if (host != null && AsciiString.contentEquals(host, head.authority())) {
            head.remove(HttpHeaderNames.HOST); // equal to :authority, which becomes Host
        }
        Http2FrameStream stream = frame.stream();
        HttpRequest request = HttpConversionUtil.toHttpRequest(stream == null ? 0 : stream.id(), head, true);
        if (!frame.isEndStream() && !head.contains(HttpHeaderNames.CONTENT_LENGTH)) {
            // states, as in HTTP/1.1, that a body of unknown length follows
            request.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return request;
    }
}
