// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;

/**
 * The window of what an HTTP/2 stream may send. All that comes goes on at once, since frames that wait cost more than
 * their bytes; the window grows again when the body is taken.
 */
final class StreamWindow extends ChannelInboundHandlerAdapter {
    private final Channel stream;
    private int used;

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

    /** Lets the client send as many bytes as have come. */
    void open() {
        if (used > 0 && stream.isActive()) {
            int bytes = used;
            used = 0;
            Channels.writeAndFlush(stream, new DefaultHttp2WindowUpdateFrame(bytes));
        }
    }
}
