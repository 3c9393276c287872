// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;

/** Registers each accepted connection with an event loop, and resumes accepting after a failure. */
final class Acceptor extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop of the listening socket.
     *
     * Acceptor-1  While the socket is open, it reads (accepts connections) or `again` is scheduled: `again` is
     *             scheduled before reading is turned off.
     */
    /** The time after which a socket that failed to accept tries again. Not measured. */
    private static final long PAUSE_MILLIS = 100;

    private final EventLoopGroup loops;
    private final ChannelHandler handlers;
    private final Transport transport;
    private final FailureLog failures;
    private boolean paused;

    /**
     * Creates an acceptor.
     *
     * @param handlers the handler that is added to the pipeline of each connection
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

    /** Closes a connection that was not registered with a loop. Its handlers get no event. */
    private void drop(Channel accepted, Throwable cause) {
        failures.note("opening a connection", cause);
        accepted.unsafe().closeForcibly();
    }

    /** Stops accepting for a while after a failure to accept, for example because file descriptors were exhausted. */
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
        ctx.channel().config().setAutoRead(true); // Acceptor-1
    }
}
