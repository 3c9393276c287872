// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.admin;

import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** The time limits of a connection at the admin address. The connection has at most one unwritten answer. */
final class AdminGuard extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop of the connection. `limit` runs with the time limit of a head from the first byte of a
     * request until the answer is written, and with the idle time between requests.
     */
    private final ConnectionLoop loop;
    private final Channel channel;
    private final Timeouts.Entry limit = new Timeouts.Entry(this::close);
    /** True from the arrival of the first byte of a request until its answer is written. */
    private boolean inRequest;
    /** True while an answer is being written. */
    private boolean writing;

    AdminGuard(ConnectionLoop loop, Channel channel) {
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
        if (!inRequest) { // H4
            inRequest = true;
            loop.head.start(limit);
        }
        ctx.fireChannelRead(message);
    }

    /**
     * Returns whether an answer may be written. If another answer is being written, closes the connection and returns
     * false.
     */
    boolean mayAnswer() {
        if (writing) {
            close();
        }
        return !writing;
    }

    /** Records that an answer is being written. */
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
