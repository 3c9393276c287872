// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;

/** Gives each connection that a listening socket accepts to an event loop, and keeps the socket accepting. */
final class Acceptor extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop of the socket.
     *
     * Acceptor-1  The socket reads, which is accepting, or `again` is scheduled: it is scheduled before reading stops.
     */
    private static final long PAUSE_MILLIS = 100;

    private final EventLoopGroup loops;
    private final ChannelHandler handlers;
    private final Transport transport;
    private final FailureLog failures;
    private boolean paused;

    /**
     * Creates an acceptor.
     *
     * @param handlers is added to each connection
     */
    Acceptor(EventLoopGroup loops, ChannelHandler handlers, Transport transport) {
        this.loops = loops;
        this.handlers = handlers;
        this.transport = transport;
        failures = transport.failures();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel accepted = (Channel) message;
        try {
            transport.prepare(accepted);
            accepted.pipeline().addLast(handlers);
            loops.register(accepted).addListener(registered -> {
                if (!registered.isSuccess()) {
                    drop(accepted, registered.cause());
                }
            });
        } catch (Throwable t) {
            drop(accepted, t);
        }
    }

    private void drop(Channel accepted, Throwable cause) {
        failures.note("opening a connection", cause);
        accepted.unsafe().closeForcibly();
    }

    /** Nothing was accepted, for want of file descriptors, say: it is tried again after a moment. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        failures.note("accepting connections at " + ctx.channel().localAddress(), cause);
        if (!paused && ctx.channel().isOpen()) {
            var unused = ctx.executor().schedule(() -> again(ctx), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            paused = true;
            ctx.channel().config().setAutoRead(false);
        }
    }

    private void again(ChannelHandlerContext ctx) {
        paused = false;
        ctx.channel().config().setAutoRead(true);
    }
}
