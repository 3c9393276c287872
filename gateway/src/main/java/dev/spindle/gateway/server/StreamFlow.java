// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flow control of the bytes that an HTTP/2 connection sends. The {@link WriteWatch} of a stream is notified of the
 * bytes that flow control lets through.
 *
 * <p>Netty reports a frame only when its last byte is written, which is too late to observe the progress of a client
 * with a small window. Confined to the event loop of the connection.
 */
final class StreamFlow extends DefaultHttp2RemoteFlowController {
    private final Http2Connection connection;
    /** The property of a stream that contains its watch. */
    private final Http2Connection.PropertyKey key;

    /** Creates the flow control of one connection. */
    StreamFlow(Http2Connection connection) {
        super(connection);
        this.connection = connection;
        key = connection.newKey();
    }

    /** Sets the watch that is notified of a stream's bytes. */
    void tell(int streamId, WriteWatch watch) {
        Http2Stream stream = connection.stream(streamId);
        if (stream != null) {
            stream.setProperty(key, watch);
        }
    }

    @Override
    public void addFlowControlled(Http2Stream stream, FlowControlled frame) {
        super.addFlowControlled(stream, new Counted(frame, stream.getProperty(key)));
    }

    /** A frame that reports to the watch the number of its bytes that were written. */
    private record Counted(FlowControlled frame, @Nullable WriteWatch watch) implements FlowControlled {
        @Override
        public int size() {
            return frame.size();
        }

        @Override
        public void error(ChannelHandlerContext ctx, Throwable cause) {
            frame.error(ctx, cause);
        }

        @Override
        public void writeComplete() {
            frame.writeComplete();
        }

        @Override
        public void write(ChannelHandlerContext ctx, int allowedBytes) {
            int size = frame.size();
            frame.write(ctx, allowedBytes);
            if (watch != null) {
                watch.taken(size - frame.size());
            }
        }

        @Override
        public boolean merge(ChannelHandlerContext ctx, FlowControlled next) {
            return next instanceof Counted counted && frame.merge(ctx, counted.frame);
        }
    }
}
