// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.gateway;

import dev.spindle.gateway.config.Settings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Servers for trials and measurements, which answer every request after a delay. The answer has the body of the
 * request, or a body of fixed size if the request has no body.
 *
 * <p>All servers share one event loop, which runs every handler. The counts and the delay may be read and changed by
 * any thread; a change applies to later requests.
 */
public final class EchoServers implements AutoCloseable {
    private static final int BACKLOG = 4_096;

    private final boolean epoll = hasEpoll();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("echo-loop"), epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    private final List<Integer> ports = new ArrayList<>();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicInteger open = new AtomicInteger();
    private final int size;
    private volatile long delayNanos;
    private volatile int jitterPercent;

    private EchoServers(int size) {
        this.size = size;
    }

    private static boolean hasEpoll() {
        try {
            return Epoll.isAvailable();
        } catch (LinkageError e) { // the transport's library is not on the class path
            return false;
        }
    }

    /**
     * Starts a server at each port of the loopback address.
     *
     * @param ports the ports to listen to; for 0 the system chooses one
     * @param delay the time before an answer
     * @param jitterPercent the maximum random deviation from the delay, in per cent of the delay; from 0 to 100
     * @param size the number of bytes in a body
     * @throws IOException if a port cannot be bound
     */
    public static EchoServers start(List<Integer> ports, Duration delay, int jitterPercent, int size)
            throws IOException {
        EchoServers servers = new EchoServers(size);
        try {
            servers.delay(delay, jitterPercent);
            for (int port : ports) {
                servers.ports.add(servers.bind(port, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        int own = ((InetSocketAddress) channel.localAddress()).getPort();
                        channel.pipeline()
                                .addLast(new HttpRequestDecoder(), new HttpResponseEncoder(), servers.new Echo(own));
                    }
                }));
            }
            return servers;
        } catch (IOException | RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private int bind(int port, ChannelInitializer<Channel> children) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(children)
                .bind(InetAddress.getLoopbackAddress(), port)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen at 127.0.0.1:" + port + ": " + bound.cause().getMessage(), bound.cause());
        }
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    /**
     * Opens the administration at a port of the loopback address: {@code GET /echo} returns the number of answered
     * calls and the delay, {@code PUT /echo?delay=20ms&jitter=0&calls=0} changes both.
     *
     * @return the port
     * @throws IOException if the port cannot be bound
     */
    public int openAdmin(int port) throws IOException {
        return bind(port, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline()
                        .addLast(
                                new HttpRequestDecoder(),
                                new HttpResponseEncoder(),
                                new HttpObjectAggregator(1 << 10),
                                new Admin());
            }
        });
    }

    /** Returns the ports, in the order in which they were given. */
    public List<Integer> ports() {
        return List.copyOf(ports);
    }

    /** Returns the number of answered requests. */
    public long calls() {
        return calls.get();
    }

    /**
     * Changes the delay of answers.
     *
     * @throws IllegalArgumentException if the delay is negative, or the jitter not from 0 to 100
     */
    public void delay(Duration delay, int jitterPercent) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("the delay must not be negative, is " + delay);
        }
        if (jitterPercent < 0 || jitterPercent > 100) {
            throw new IllegalArgumentException("the jitter must be from 0 to 100 per cent, is " + jitterPercent);
        }
        delayNanos = delay.toNanos();
        this.jitterPercent = jitterPercent;
    }

    /** Ends the servers, and waits until their event loop has ended. Requests that are not answered are dropped. */
    @Override
    public void close() {
        var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static void close(Channel channel) {
        var unused = channel.close();
    }

    private long nextDelay() {
        long mean = delayNanos;
        int jitter = jitterPercent;
        return jitter == 0 || mean == 0
                ? mean
                : (long) (mean
                        * (1 + jitter / 100.0 * (2 * ThreadLocalRandom.current().nextDouble() - 1)));
    }

    /** Answers the requests of one connection, which come one after another. */
    private final class Echo extends ChannelInboundHandlerAdapter {
        private final ByteBuf fixed;
        private @Nullable ByteBuf body;
        private boolean closes;

        Echo(int port) {
            byte[] text = new byte[size];
            Arrays.fill(text, (byte) '.');
            byte[] name = ("echo " + port + " ").getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(name, 0, text, 0, Math.min(name.length, size));
            if (size > 0) {
                text[size - 1] = '\n';
            }
            fixed = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(text));
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            open.incrementAndGet();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof HttpRequest request) {
                closes = !HttpUtil.isKeepAlive(request);
            }
            if (message instanceof HttpContent content) {
                if (content.content().isReadable()) {
                    body = body == null ? ctx.alloc().buffer() : body;
                    body.writeBytes(content.content());
                }
                ReferenceCountUtil.release(content);
                if (content instanceof LastHttpContent) {
                    later(ctx);
                }
            }
        }

        private void later(ChannelHandlerContext ctx) {
            ByteBuf answer = body == null ? fixed.duplicate() : body;
            body = null;
            long delay = nextDelay();
            if (delay == 0) {
                answer(ctx, answer);
            } else {
                var unused = ctx.executor().schedule(() -> answer(ctx, answer), delay, TimeUnit.NANOSECONDS);
            }
        }

        private void answer(ChannelHandlerContext ctx, ByteBuf content) {
            if (!ctx.channel().isActive()) {
                content.release();
                return;
            }
            calls.incrementAndGet();
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, "text/plain")
                    .set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
            if (closes) {
                response.headers().set(HttpHeaderNames.CONNECTION, "close");
            }
            ChannelFuture written = ctx.writeAndFlush(response);
            if (closes) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            open.decrementAndGet();
            if (body != null) {
                body.release();
                body = null;
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            close(ctx.channel());
        }
    }

    private final class Admin extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            QueryStringDecoder query = new QueryStringDecoder(request.uri());
            String text;
            int status = 200;
            if (!query.path().equals("/echo")) {
                status = 404;
                text = "GET or PUT /echo?delay=20ms&jitter=0&calls=0\n";
            } else {
                try {
                    if (request.method().equals(HttpMethod.PUT)) {
                        change(query);
                    }
                    text = String.format(
                            "{\"calls\":%d,\"delayMillis\":%d,\"jitterPercent\":%d,\"open\":%d}%n",
                            calls.get(), delayNanos / 1_000_000, jitterPercent, open.get());
                } catch (IllegalArgumentException e) {
                    status = 400;
                    text = e.getMessage() + "\n";
                }
            }
            ByteBuf body = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, status == 200 ? "application/json" : "text/plain")
                    .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            var unused = ctx.writeAndFlush(response, ctx.voidPromise());
        }

        private void change(QueryStringDecoder query) {
            String delay = value(query, "delay");
            String jitter = value(query, "jitter");
            String count = value(query, "calls");
            delay(
                    delay == null ? Duration.ofNanos(delayNanos) : Settings.time(delay),
                    jitter == null ? jitterPercent : Integer.parseInt(jitter));
            if (count != null) {
                calls.set(Long.parseLong(count));
            }
        }

        private static @Nullable String value(QueryStringDecoder query, String name) {
            List<String> values = query.parameters().get(name);
            return values == null ? null : values.get(0);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            close(ctx.channel());
        }
    }
}
