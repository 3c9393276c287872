// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Live;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.protocol.StrictRequestDecoder;
import dev.spindle.gateway.protocol.TrustedProxies;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.Mapping;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds to each connection of a client the handlers of its protocol. If HTTP/2 is supported, the protocol is selected by
 * ALPN with TLS, and by the first bytes of the connection without TLS.
 *
 * <p>One initializer serves all connections, on their event loops. The initializer counts the open connections, and
 * closes a connection that exceeds the limit.
 */
final class ClientInitializer extends ChannelInitializer<Channel> {
    /*
     * The handlers of a connection, in the order in which bytes from the client pass them:
     *
     *   PROXY header    ProxyHeaderHandler, for trusted proxies, and then one of the next two
     *   TLS             HandshakeGuard        SslHandler           Negotiated     those of HTTP/1.1 or HTTP/2
     *   without TLS     Preface               those of HTTP/1.1 or HTTP/2
     *   HTTP/1.1        StrictRequestDecoder  ServerHandler, which writes bytes
     *   HTTP/2          FrameWatch            codec                multiplexer    Http2
     *   HTTP/2 stream   StreamWindow          StrictStreamCodec    ServerHandler
     *
     * Negotiated and Preface leave the pipeline when the protocol is known. A gateway without TLS and HTTP/2 has no
     * Preface.
     */
    /** The maximum bytes of the first message of a TLS handshake. Not measured. */
    private static final int LONGEST_HELLO = 16 << 10;

    private final GatewayState gateway;
    private final Function<Channel, ConnectionLoop> loops;
    private final @Nullable Live<ServerTls> tls;

    /**
     * Creates the initializer.
     *
     * @param loops a function that returns the loop of a connection
     * @param tls the TLS of the server; null for none
     */
    ClientInitializer(GatewayState gateway, Function<Channel, ConnectionLoop> loops, @Nullable Live<ServerTls> tls) {
        this.gateway = gateway;
        this.loops = loops;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        ConnectionLoop loop = loops.apply(channel);
        if (!gateway.connections.opened()) {
            Channels.close(channel);
            return;
        }
        boolean watched = false;
        try {
            channel.closeFuture().addListener(closed -> gateway.connections.closed());
            watched = true;
        } finally {
            if (!watched) {
                gateway.connections.closed();
            }
        }
        TrustedProxies proxies = gateway.proxies;
        if (proxies != null && proxies.sendsHeader(Transport.address(channel))) {
            channel.pipeline().addLast(new ProxyHeaderHandler(gateway, loop, channel, () -> protocols(channel, loop)));
        } else {
            protocols(channel, loop);
        }
    }

    /** Adds the handlers of TLS, or those that follow the choice of a protocol. */
    private void protocols(Channel channel, ConnectionLoop loop) {
        if (tls != null) {
            channel.pipeline()
                    .addLast(new HandshakeGuard(), handshake(tls.get(), channel), new Negotiated(loop, channel));
        } else if (gateway.config.http2()) {
            channel.pipeline().addLast(new Preface(loop, channel));
        } else {
            http1(channel, loop, false);
        }
    }

    /** Returns the handler of the TLS handshake, which chooses among several certificates by the name of the server. */
    private ChannelHandler handshake(ServerTls identities, Channel channel) {
        long limit = gateway.config.limits().headTime().toMillis();
        if (identities.isSeveral()) {
            return new SniHandler((Mapping<String, SslContext>) identities::of, LONGEST_HELLO, limit);
        }
        SslHandler handshake = identities.first().newHandler(channel.alloc());
        handshake.setHandshakeTimeoutMillis(limit);
        return handshake;
    }

    /** Adds the handlers of HTTP/1.1. */
    private void http1(Channel channel, ConnectionLoop loop, boolean secure) {
        StrictRequestDecoder decoder = new StrictRequestDecoder(gateway.config.limits());
        channel.pipeline().addLast(decoder, new ServerHandler(gateway, loop, channel, decoder, secure));
    }

    /**
     * Waits for the TLS handshake, which selects the protocol. A drain closes the connection, since the connection has
     * no request yet.
     */
    private final class Negotiated extends ApplicationProtocolNegotiationHandler implements ConnectionLoop.Drainable {
        private final ConnectionLoop loop;
        private final Channel channel;

        Negotiated(ConnectionLoop loop, Channel channel) {
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
        public void drain() { // H6
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
                Http2.addTo(ctx.channel(), gateway, loop, true);
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

    /**
     * Waits for the first bytes, which select the protocol: no method of HTTP/1.1 begins like the preface of HTTP/2.
     */
    private final class Preface extends ByteToMessageDecoder implements ConnectionLoop.Drainable {
        private static final String FIRST = "PRI * HTTP/2.0";

        private final ConnectionLoop loop;
        private final Channel channel;
        private final Timeouts.Entry limit = new Timeouts.Entry(this::close);
        /** True if a byte has arrived, so that the time limit of a head runs. */
        private boolean begun;

        Preface(ConnectionLoop loop, Channel channel) {
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

        /**
         * Compares the received bytes with the preface. When the protocol is known, its handlers replace this handler.
         */
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
                Http2.addTo(channel, gateway, loop, false);
            } else {
                http1(channel, loop, false);
            }
            ctx.pipeline().remove(this); // the removal passes the received bytes to the next handler
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
