// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/** One Netty event loop, with the epoll transport on Linux. */
final class Loops {
    private static final boolean EPOLL = Epoll.isAvailable();

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

    int listen(Supplier<List<ChannelHandler>> handlers) throws InterruptedException {
        Channel server = new ServerBootstrap()
                .group(group)
                .channel(EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, Plan.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(initializer(handlers))
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    Bootstrap client(Supplier<List<ChannelHandler>> handlers) {
        return new Bootstrap()
                .group(group)
                .channel(EPOLL ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(initializer(handlers));
    }

    private static ChannelInitializer<Channel> initializer(Supplier<List<ChannelHandler>> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                handlers.get().forEach(channel.pipeline()::addLast);
            }
        };
    }
}
