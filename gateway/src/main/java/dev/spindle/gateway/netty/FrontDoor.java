// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gives each connection the handlers of the protocol that it speaks. */
final class FrontDoor extends ChannelInitializer<Channel> {
    private final Core core;
    private final Function<Channel, Loop> loops;
    private final @Nullable SslContext tls;

    FrontDoor(Core core, Function<Channel, Loop> loops, @Nullable SslContext tls) {
        this.core = core;
        this.loops = loops;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        Loop loop = loops.apply(channel);
        if (!core.connections.opened()) {
            Channels.close(channel);
            return;
        }
        boolean watched = false;
        try {
            channel.closeFuture().addListener(closed -> core.connections.closed());
            watched = true;
        } finally {
            if (!watched) {
                core.connections.closed();
            }
        }
        if (tls != null) {
            SslHandler handshake = tls.newHandler(channel.alloc());
            handshake.setHandshakeTimeoutMillis(core.config.limits().headTime().toMillis());
            channel.pipeline().addLast(new HandshakeGuard(), handshake, new Negotiated(loop, channel));
        } else if (core.config.http2()) {
            channel.pipeline().addLast(new Preface(loop, channel));
        } else {
            http1(channel, loop, false);
        }
    }

    private void http1(Channel channel, Loop loop, boolean secure) {
        StrictRequestDecoder decoder = new StrictRequestDecoder(core.config.limits());
        channel.pipeline()
                .addLast(decoder, new HttpResponseEncoder(), new ServerHandler(core, loop, channel, decoder, secure));
    }

    /** Told by the handshake. Until that is over, there is no request that a drain would wait for. */
    private final class Negotiated extends ApplicationProtocolNegotiationHandler implements Loop.Drainable {
        private final Loop loop;
        private final Channel channel;

        Negotiated(Loop loop, Channel channel) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.loop = loop;
            this.channel = channel;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
            super.handlerAdded(ctx);
            loop.connections.add(this);
            if (loop.closesIdle) {
                cutOff();
            }
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) throws Exception {
            loop.connections.remove(this);
            super.handlerRemoved(ctx);
        }

        @Override
        public void drain() {
            cutOff();
        }

        @Override
        public boolean isBusy() {
            return false;
        }

        @Override
        public void cutOff() {
            Channels.close(channel);
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
            if (ApplicationProtocolNames.HTTP_2.equals(protocol)) {
                Http2.addTo(ctx.channel(), core, loop, true);
            } else {
                http1(ctx.channel(), loop, true);
            }
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
            Channels.close(ctx.channel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            Channels.close(ctx.channel());
        }
    }

    /** Told by the first bytes: no method of HTTP/1.1 begins like the preface of HTTP/2. */
    private final class Preface extends ByteToMessageDecoder implements Loop.Drainable {
        private static final String FIRST = "PRI * HTTP/2.0";

        private final Loop loop;
        private final Channel channel;
        private final Timeouts.Entry limit = new Timeouts.Entry(this::close);
        private boolean begun;

        Preface(Loop loop, Channel channel) {
            this.loop = loop;
            this.channel = channel;
        }

        private void close() {
            Channels.close(channel);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            loop.idle.start(limit);
            loop.connections.add(this);
        }

        @Override
        protected void handlerRemoved0(ChannelHandlerContext ctx) {
            limit.stop();
            loop.connections.remove(this);
        }

        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
            int most = Math.min(FIRST.length(), in.readableBytes());
            int same = 0;
            while (same < most && in.getByte(in.readerIndex() + same) == FIRST.charAt(same)) {
                same++;
            }
            if (same == in.readableBytes() && same < FIRST.length()) {
                if (!begun && same > 0) {
                    begun = true;
                    loop.head.start(limit);
                }
                return;
            }
            if (same == FIRST.length()) {
                Http2.addTo(channel, core, loop, false);
            } else {
                http1(channel, loop, false);
            }
            ctx.pipeline().remove(this); // hands what it holds to the next
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            close();
        }

        @Override
        public void drain() {
            if (!begun) {
                close();
            }
        }

        @Override
        public boolean isBusy() {
            return false;
        }

        @Override
        public void cutOff() {
            close();
        }
    }
}
