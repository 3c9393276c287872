// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2FrameLogger;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.logging.LogLevel;
import io.netty.util.AsciiString;

/** Sees heads before the decoder makes one length of several that are equal, which HTTP/1.1 refuses. */
final class LengthWatch extends Http2FrameLogger {
    LengthWatch() {
        super(LogLevel.TRACE);
    }

    @Override
    public void logHeaders(
            Direction direction,
            ChannelHandlerContext ctx,
            int stream,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean last) {
        check(direction, headers);
    }

    @Override
    public void logHeaders(
            Direction direction,
            ChannelHandlerContext ctx,
            int stream,
            Http2Headers headers,
            int padding,
            boolean last) {
        check(direction, headers);
    }

    /** Several lengths become one that is no number, by which the decoder resets the stream. */
    private static void check(Direction direction, Http2Headers headers) {
        CharSequence length = direction == Direction.INBOUND ? headers.get(HttpHeaderNames.CONTENT_LENGTH) : null;
        if (length != null
                && (AsciiString.indexOf(length, ',', 0) >= 0
                        || headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() > 1)) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, "several");
        }
    }
}
