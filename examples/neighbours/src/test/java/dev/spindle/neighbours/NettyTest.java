// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // of writes: the channel reports failures to its handlers
class NettyTest {
    private static final int MAX_LINE = 80;

    private final Watch watch = new Watch();

    private String answer(String request) {
        int number = Integer.parseInt(request);
        watch.run("connection", number);
        return number + "\n";
    }

    private final class LineHandler extends SimpleChannelInboundHandler<String> {
        private final Keyed<ChannelId> connections;

        LineHandler(Keyed<ChannelId> connections) {
            this.connections = connections;
        }

        // snippet: netty
        @Override
        protected void channelRead0(ChannelHandlerContext context, String request) {
            connections.execute(context.channel().id(), () -> {
                String answer = answer(request); // may block: the event loop does not wait
                context.writeAndFlush(answer, context.voidPromise()); // from any thread; the loop keeps the order
            });
        }
        // end
    }

    private final class HandlerOnAPool extends SimpleChannelInboundHandler<String> {
        private final ExecutorService pool;

        HandlerOnAPool(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, String request) {
            pool.execute(() -> context.writeAndFlush(answer(request), context.voidPromise()));
        }
    }

    @Test
    void handler_keyedByConnection_answersInTheOrderOfTheRequests() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Keyed<ChannelId> connections = spindle.keyed("connections");

            assertThat(disorder(() -> new LineHandler(connections))).isZero();
        }

        assertThat(watch.ran()).isEqualTo(LineClient.LINES);
        assertThat(watch.disorder()).isZero();
    }

    @Test
    void control_plainPool_answersOvertake() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);

        assertThat(disorder(() -> new HandlerOnAPool(pool))).isPositive();
        pool.shutdown();
    }

    private static int disorder(Supplier<ChannelHandler> handlers) throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            Channel server = new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(new LineBasedFrameDecoder(MAX_LINE), new StringDecoder())
                                    .addLast(new StringEncoder(), handlers.get());
                        }
                    })
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .sync()
                    .channel();
            return LineClient.disorder(((InetSocketAddress) server.localAddress()).getPort());
        } finally {
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
        }
    }
}
