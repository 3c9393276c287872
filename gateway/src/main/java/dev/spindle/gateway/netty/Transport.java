// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;

/** Linux' epoll if its native library is there, else NIO. */
final class Transport implements AutoCloseable {
    private final boolean epoll;
    private final AddressResolverGroup<InetSocketAddress> resolver;

    Transport() {
        epoll = hasEpoll();
        resolver = new DnsAddressResolverGroup(new DnsNameResolverBuilder()
                .datagramChannelFactory(() -> epoll ? new EpollDatagramChannel() : new NioDatagramChannel()));
    }

    private static boolean hasEpoll() {
        try {
            return Epoll.isAvailable();
        } catch (LinkageError e) { // the library is not on the class path
            return false;
        }
    }

    MultiThreadIoEventLoopGroup loops(int count, ThreadFactory threads) {
        IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(count, threads, handlers);
    }

    Channel newSocket() {
        return epoll ? new EpollSocketChannel() : new NioSocketChannel();
    }

    ServerChannel newServerSocket() {
        return epoll ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    }

    /** Resolves names without holding up a loop; addresses need no resolving. */
    AddressResolverGroup<InetSocketAddress> resolver() {
        return resolver;
    }

    static String host(Channel channel) {
        SocketAddress remote = channel.remoteAddress();
        if (remote instanceof InetSocketAddress inet) {
            InetAddress address = inet.getAddress();
            return address == null ? inet.getHostString() : address.getHostAddress();
        }
        return "unknown";
    }

    @Override
    public void close() {
        resolver.close();
    }

    @Override
    public String toString() {
        return epoll ? "epoll" : "NIO";
    }
}
