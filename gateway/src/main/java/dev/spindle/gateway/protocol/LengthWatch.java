// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2FrameLogger;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.logging.LogLevel;
import io.netty.util.AsciiString;

/**
 * A frame logger that checks the heads of HTTP/2 before the decoder merges equal values of Content-Length. Requests
 * with several values are refused, as in HTTP/1.1.
 *
 * <p>A logger is the only handler that Netty calls at that point. This logger belongs to one connection and runs on the
 * event loop of the connection.
 */
public final class LengthWatch extends Http2FrameLogger {
    /** Creates a watch for one connection. */
    public LengthWatch() {
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

    /**
     * Replaces several values of Content-Length with a text that is not a number, so that the decoder resets the
     * stream.
     */
    private static void check(Direction direction, Http2Headers headers) {
        CharSequence length = direction == Direction.INBOUND ? headers.get(HttpHeaderNames.CONTENT_LENGTH) : null;
        if (length != null
                && (AsciiString.indexOf(length, ',', 0) >= 0
                        || headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() > 1)) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, "several"); // H8
        }
    }
}
