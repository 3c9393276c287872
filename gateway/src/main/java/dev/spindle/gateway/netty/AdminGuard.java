// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** The limits of a connection at the admin address. It has at most one answer that is not written. */
final class AdminGuard extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop. The limit that runs is that of a head from the first byte of a request to the last of
     * its answer, and else that of a connection without a request.
     */
    private final Loop loop;
    private final Channel channel;
    private final Timeouts.Entry limit = new Timeouts.Entry(this::close);
    private boolean inRequest;
    private boolean writing;

    AdminGuard(Loop loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    private void close() {
        Channels.close(channel);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.idle.start(limit);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!inRequest) {
            inRequest = true;
            loop.head.start(limit);
        }
        ctx.fireChannelRead(message);
    }

    /** Returns whether an answer may be written; if not the connection is closed. */
    boolean mayAnswer() {
        if (writing) {
            close();
        }
        return !writing;
    }

    void answered(ChannelFuture written) {
        writing = true;
        written.addListener(done -> {
            writing = false;
            inRequest = false;
            if (channel.isActive()) {
                loop.idle.start(limit);
            }
        });
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        limit.stop();
        ctx.fireChannelInactive();
    }
}
