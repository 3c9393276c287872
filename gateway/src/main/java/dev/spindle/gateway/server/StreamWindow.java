// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.Channels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;

/**
 * The flow-control window of an HTTP/2 stream: the bytes that the client may still send on it.
 *
 * <p>Each frame is passed on when it arrives, since a queued frame needs more memory than its bytes. The window is
 * enlarged when the body has been taken. Confined to the event loop of the connection.
 */
final class StreamWindow extends ChannelInboundHandlerAdapter {
    private final Channel stream;
    /** The number of bytes received since the window last grew. */
    private int used;

    /** Creates the window of a stream. */
    StreamWindow(Channel stream) {
        this.stream = stream;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Http2DataFrame data) {
            used += data.initialFlowControlledBytes();
        }
        ctx.fireChannelRead(message);
    }

    /**
     * Enlarges the window by the number of bytes received since the last call. Called when these bytes have been taken.
     */
    void open() {
        if (used > 0 && stream.isActive()) {
            int bytes = used;
            used = 0;
            Channels.writeAndFlush(stream, new DefaultHttp2WindowUpdateFrame(bytes));
        }
    }
}
