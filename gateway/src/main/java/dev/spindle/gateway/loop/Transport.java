// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import dev.spindle.gateway.config.Address;
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
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The sockets, event loops and name resolution of a gateway: Linux's epoll if its native library can be loaded,
 * otherwise NIO.
 *
 * <p>All methods may be called by any thread. {@link #close} ends only the resolver; the callers that opened loops and
 * sockets close them.
 */
public final class Transport implements AutoCloseable {
    /** The number of connections that may wait to be accepted: the default of Linux's somaxconn. Not measured. */
    private static final int BACKLOG = 4_096;
    /**
     * The maximum unsent bytes of a connection in the kernel. The kernel's default of megabytes would hide the progress
     * of a client that reads slowly. Not measured.
     */
    private static final long UNSENT = 128 << 10;

    /** The address of the client for which a proxy has opened a connection. */
    private static final AttributeKey<InetAddress> CLIENT = AttributeKey.valueOf(Transport.class, "client");

    private final boolean epoll;
    private final AddressResolverGroup<InetSocketAddress> resolver;

    private final FailureLog failures = new FailureLog();

    /** Chooses epoll or NIO, without opening anything. Names are resolved by the name servers of the system. */
    public Transport() {
        this(null);
    }

    /**
     * Chooses epoll or NIO, without opening anything.
     *
     * @param nameServer the address of the name server; null for the name servers of the system
     */
    public Transport(@Nullable Address nameServer) {
        epoll = hasEpoll();
        DnsNameResolverBuilder builder = new DnsNameResolverBuilder()
                .datagramChannelFactory(() -> epoll ? new EpollDatagramChannel() : new NioDatagramChannel());
        if (nameServer != null) {
            builder.nameServerProvider(new SingletonDnsServerAddressStreamProvider(
                    new InetSocketAddress(nameServer.host(), nameServer.port())));
        }
        resolver = new DnsAddressResolverGroup(builder);
    }

    private static boolean hasEpoll() {
        try {
            return Epoll.isAvailable();
        } catch (LinkageError e) { // the library is not on the class path
            return false;
        }
    }

    /**
     * Starts event loops, which continue after any failure.
     *
     * @param threads the factory of the loops' threads
     */
    public MultiThreadIoEventLoopGroup loops(int count, ThreadFactory threads) {
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
     * @param handlers the handler that is added to each connection
     * @throws IOException if the address cannot be bound
     */
    public Channel bind(EventLoopGroup loops, InetSocketAddress address, ChannelHandler handlers) throws IOException {
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

    /** Returns a socket that is not connected. */
    public Channel newSocket() {
        return epoll ? new EpollSocketChannel() : new NioSocketChannel();
    }

    private ServerChannel newServerSocket() {
        return epoll
                ? new EpollServerSocketChannel()
                : new NioServerSocketChannel() {
                    @Override
                    protected boolean closeOnReadError(Throwable cause) {
                        return !isActive(); // a failure to accept does not close an open socket
                    }
                };
    }

    /** Sets the options of an accepted connection. */
    void prepare(Channel accepted) {
        boolean unused = accepted.config().setOption(ChannelOption.TCP_NODELAY, true);
        if (epoll) {
            boolean unusedToo = accepted.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT);
        }
    }

    /** Returns the log of failures after which the gateway continues. */
    public FailureLog failures() {
        return failures;
    }

    /** Returns the resolver of host names, which does not block a loop. */
    public AddressResolverGroup<InetSocketAddress> resolver() {
        return resolver;
    }

    /** Sets the address of the client for which a proxy has opened a connection. */
    public static void client(Channel connection, InetAddress address) {
        connection.attr(CLIENT).set(address);
    }

    /**
     * Returns the address of the other end of a connection, or of the client for which it was opened; null if it is not
     * known.
     */
    public static @Nullable InetAddress address(Channel connection) {
        InetAddress client = connection.attr(CLIENT).get();
        return client == null && connection.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress()
                : client;
    }

    /**
     * Returns the IP address of the other end of a connection, its host name if the address is not resolved, or
     * {@code unknown}.
     */
    public static String host(Channel channel) {
        InetAddress address = address(channel);
        if (address == null && channel.remoteAddress() instanceof InetSocketAddress inet) {
            return inet.getHostString();
        }
        return address == null ? "unknown" : address.getHostAddress();
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
