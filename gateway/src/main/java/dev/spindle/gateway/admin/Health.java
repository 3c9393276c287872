// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.admin;

import dev.spindle.Stats;
import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Connections;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * The handlers of the admin address and of HAProxy's agent check.
 *
 * <p>Each address has its own limit of connections. Handlers run on the event loops of their connections; this object
 * keeps no reference to a connection.
 */
public final class Health {
    /** The maximum bytes of a request's body, which is ignored. Not measured. */
    private static final int MOST_BODY = 1 << 10;

    /** The maximum number of connections at one address. Not measured. */
    private static final int MOST_CONNECTIONS = 100;

    private final GatewayStatus status;
    private final Function<Channel, ConnectionLoop> loops;
    /** The number of requests that had been shed at the last agent check. Guarded by the monitor. */
    private long refusedBefore;

    /**
     * Creates the handlers.
     *
     * @param loops a function that returns the loop of a connection
     */
    public Health(GatewayStatus status, Function<Channel, ConnectionLoop> loops) {
        this.status = status;
        this.loops = loops;
    }

    /** Counts a connection. If the connection exceeds the limit, closes it and returns false. */
    private static boolean isTaken(Connections connections, Channel channel) {
        if (!connections.opened()) { // H4
            Channels.close(channel);
            return false;
        }
        channel.closeFuture().addListener(closed -> connections.closed());
        return true;
    }

    /** Returns the handlers that answer {@code /live}, {@code /ready} and {@code /metrics}. */
    public ChannelInitializer<Channel> admin() {
        Connections connections = new Connections(MOST_CONNECTIONS);
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (isTaken(connections, channel)) {
                    AdminGuard guard = new AdminGuard(loops.apply(channel), channel);
                    channel.pipeline()
                            .addLast(
                                    guard,
                                    new HttpServerCodec(),
                                    new HttpObjectAggregator(MOST_BODY),
                                    new Pages(guard));
                }
            }
        };
    }

    /** Returns the handlers that answer each connection with one line, and close it. */
    public ChannelInitializer<Channel> agent() {
        Connections connections = new Connections(MOST_CONNECTIONS);
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (!isTaken(connections, channel)) {
                    return;
                }
                channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.writeAndFlush(text(agentLine())).addListener(ChannelFutureListener.CLOSE);
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        Channels.close(ctx.channel());
                    }
                });
            }
        };
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    /**
     * Returns the line for the load balancer: {@code drain} during a drain, otherwise a weight. The weight is full
     * while at most half of the permitted requests are under way, and decreases above that. The weight is halved if
     * requests were shed since the last agent check.
     */
    private synchronized String agentLine() {
        if (status.isDraining()) {
            return "drain\n";
        }
        long refused = status.metrics().shed.sum();
        boolean shedding = refused > refusedBefore;
        refusedBefore = refused;
        Stats gate = status.gate().stats();
        double used = gate.running() / (double) gate.maxConcurrency();
        double weight = 100 * Math.min(1, 2 * (1 - used));
        return "up ready " + Math.max(1, Math.round(shedding ? weight / 2 : weight)) + "%\n";
    }

    /**
     * Answers requests one after another; a request that arrives before the previous request is answered closes the
     * connection.
     */
    private final class Pages extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final AdminGuard guard;

        Pages(AdminGuard guard) {
            this.guard = guard;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            if (!guard.mayAnswer()) {
                return;
            }
            FullHttpResponse answer = switch (request.uri()) {
                case "/live" -> page(200, "live\n");
                case "/ready" -> status.isDraining() ? page(503, "draining\n") : page(200, "ready\n");
                case "/metrics" -> page(200, MetricsText.of(status));
                default -> page(404, "GET /live, /ready or /metrics\n");
            };
            boolean keep = HttpUtil.isKeepAlive(request);
            answer.headers().set(HttpHeaderNames.CONNECTION, keep ? "keep-alive" : "close");
            var written = ctx.writeAndFlush(answer);
            guard.answered(written);
            if (!keep) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        private static FullHttpResponse page(int code, String text) {
            FullHttpResponse answer =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code), text(text));
            answer.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")
                    .set(HttpHeaderNames.CONTENT_LENGTH, answer.content().readableBytes());
            return answer;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            Channels.close(ctx.channel());
        }
    }
}
