// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Linux' epoll if its native library is there, else NIO. */
final class Transport implements AutoCloseable {
    private static final int BACKLOG = 4_096;
    /** So few bytes wait in the system for a client that reads slowly: else its progress is seen in megabytes. */
    private static final long UNSENT = 128 << 10;

    private final boolean epoll;
    private final AddressResolverGroup<InetSocketAddress> resolver;

    private final FailureLog failures = new FailureLog();

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
        return new MultiThreadIoEventLoopGroup(count, threads, handlers) {
            @Override
            protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... arguments) {
                return new PersistentLoop(this, executor, handlers, failures);
            }
        };
    }

    /**
     * Opens a listening socket.
     *
     * @param handlers is added to each connection
     * @throws IOException if the address cannot be bound
     */
    Channel bind(EventLoopGroup loops, InetSocketAddress address, ChannelHandler handlers) throws IOException {
        ChannelFuture bound = new Bootstrap()
                .group(loops)
                .channelFactory(this::newServerSocket)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(new Acceptor(loops, handlers, this))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen at " + address.getHostString() + ":" + address.getPort() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    Channel newSocket() {
        return epoll ? new EpollSocketChannel() : new NioSocketChannel();
    }

    private ServerChannel newServerSocket() {
        return epoll
                ? new EpollServerSocketChannel()
                : new NioServerSocketChannel() {
                    @Override
                    protected boolean closeOnReadError(Throwable cause) {
                        return !isActive(); // an Error is no reason
                    }
                };
    }

    /** Sets the options of a connection that was accepted. */
    void prepare(Channel accepted) {
        boolean unused = accepted.config().setOption(ChannelOption.TCP_NODELAY, true);
        if (epoll) {
            boolean unusedToo = accepted.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT);
        }
    }

    /** What goes on after a failure says it there. */
    FailureLog failures() {
        return failures;
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
