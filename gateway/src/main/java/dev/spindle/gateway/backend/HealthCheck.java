// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.CheckConfig;
import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.protocol.FailureText;
import dev.spindle.gateway.protocol.StrictResponseDecoder;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The active check of one instance: a GET on a connection of its own, again and again.
 *
 * <p>Confined to one event loop, except for {@link #start} and {@link #stop}. No check begins before the previous check
 * has ended.
 */
final class HealthCheck {
    private final CheckConfig config;
    private final ConnectionLoop loop;
    private final Dialer dialer;
    private final Consumer<Channel> tls;
    private final byte[] request;
    private final Listener listener;

    /** The check under way; null between two checks. */
    private @Nullable Probe probe;
    /** The number of checks in a row whose result differs from the state of the instance. */
    private int differing;

    /** The state that was reported last; at first an instance counts as up. */
    private boolean up = true;

    private volatile boolean stopped;

    /**
     * Creates a check, which has not begun.
     *
     * @param host the value of the Host field
     * @param uri the path and the query
     * @param tls adds TLS to a new connection, if the backend has it
     */
    HealthCheck(
            CheckConfig config,
            Address address,
            String host,
            String uri,
            Consumer<Channel> tls,
            Transport transport,
            ConnectionLoop loop,
            Listener listener) {
        this.config = config;
        this.tls = tls;
        this.loop = loop;
        this.listener = listener;
        dialer = new Dialer(loop, transport, address, config.limit(), this::init);
        request = ("GET " + uri + " HTTP/1.1\r\nhost: " + host
                        + "\r\nuser-agent: spindle-check\r\nconnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Receives the changes of an instance's state, on the loop of the check. */
    interface Listener {
        /** Called when the instance is up or down from now on. */
        void changed(boolean up, String reason);
    }

    /** Begins the first check. */
    void start() {
        boolean unused = loop.run(this::begin);
    }

    /** Ends the checks; a check under way has no effect. */
    void stop() {
        stopped = true;
    }

    private void init(Channel channel) {
        tls.accept(channel);
        Probe of = probe;
        if (of == null) {
            Channels.close(channel);
        } else {
            channel.pipeline().addLast(new StrictResponseDecoder(), of);
        }
    }

    private void begin() {
        if (stopped) {
            return;
        }
        Probe started = new Probe();
        probe = started;
        try {
            var unused = loop.executor.schedule(
                    () -> started.end("it did not answer a check in time"),
                    config.limit().toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            stopped = true; // the loop has ended
            return;
        }
        // if this throws, for example without a file descriptor, the time limit ends the check
        dialer.dial().addListener((ChannelFuture connected) -> {
            boolean unused = loop.run(() -> started.connected(connected));
        });
    }

    /** Counts a result, and schedules the next check. */
    private void ended(@Nullable String failure) {
        probe = null;
        if (stopped) {
            return;
        }
        boolean passed = failure == null;
        differing = passed == up ? 0 : differing + 1;
        if (differing >= (passed ? config.rise() : config.fall())) {
            differing = 0;
            up = passed;
            listener.changed(passed, failure == null ? "" : failure);
        }
        try {
            var unused = loop.executor.schedule(this::begin, config.every().toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            stopped = true; // the loop has ended
        }
    }

    /** One check, which ends once. */
    private final class Probe extends ChannelInboundHandlerAdapter {
        private @Nullable Channel channel;
        private boolean ended;

        void connected(ChannelFuture future) {
            if (!future.isSuccess()) {
                end(FailureText.of(future.cause()));
                return;
            }
            channel = future.channel();
            if (ended) {
                Channels.drop(future.channel());
            } else {
                Channels.writeAndFlush(future.channel(), Unpooled.wrappedBuffer(request));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
            if (message instanceof HttpResponse response) {
                int status = response.status().code();
                boolean malformed = response.decoderResult().isFailure();
                if (malformed || status >= 200) {
                    end(
                            malformed
                                    ? "it sent a malformed answer to a check"
                                    : status < 400 ? null : "it answered a check with " + status);
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            end("it closed the connection of a check");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            end(FailureText.of(cause));
        }

        /** Ends the check; null means that it passed. */
        void end(@Nullable String failure) {
            if (ended) {
                return;
            }
            ended = true;
            if (channel != null) {
                Channels.drop(channel);
            }
            HealthCheck.this.ended(failure);
        }
    }
}
