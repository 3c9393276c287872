// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

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

/** What balancers and people ask: live, ready, metrics, and the agent check of HAProxy. */
final class Health {
    private static final int MOST_BODY = 1 << 10;

    private static final int MOST_CONNECTIONS = 100;

    private final Core core;
    private final Function<Channel, Loop> loops;
    private long refusedBefore;

    Health(Core core, Function<Channel, Loop> loops) {
        this.core = core;
        this.loops = loops;
    }

    /** Counts a connection; false if it is one too many, and is closed. */
    private static boolean isTaken(Connections connections, Channel channel) {
        if (!connections.opened()) {
            Channels.close(channel);
            return false;
        }
        channel.closeFuture().addListener(closed -> connections.closed());
        return true;
    }

    /** Answers {@code /live}, {@code /ready} and {@code /metrics}. */
    ChannelInitializer<Channel> admin() {
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

    /** Answers each connection with one line, and closes it. */
    ChannelInitializer<Channel> agent() {
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
     * The weight that the balancer is to give: all of it while at most half of the requests are under way that may be,
     * less and less above that, and half of that if requests were refused since the last time.
     */
    private synchronized String agentLine() {
        if (core.isDraining()) {
            return "drain\n";
        }
        long refused = core.metrics.shed.sum();
        boolean shedding = refused > refusedBefore;
        refusedBefore = refused;
        double used = core.gate.inFlight() / (double) Math.max(1, core.gate.limit());
        double weight = 100 * Math.min(1, 2 * (1 - used));
        return "up ready " + Math.max(1, Math.round(shedding ? weight / 2 : weight)) + "%\n";
    }

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
                case "/ready" -> core.isDraining() ? page(503, "draining\n") : page(200, "ready\n");
                case "/metrics" -> page(200, core.metrics.text(core));
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

        private static FullHttpResponse page(int status, String text) {
            FullHttpResponse answer =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), text(text));
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
