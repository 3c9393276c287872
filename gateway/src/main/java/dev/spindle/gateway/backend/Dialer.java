// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/** Opens connections of one event loop to one address, whose name, if it has one, is resolved each time. */
final class Dialer {
    private final Bootstrap bootstrap;
    private final InetSocketAddress remote;

    /**
     * Creates a dialer. May be called by any thread.
     *
     * @param time the time that opening a connection may take
     * @param handlers adds the handlers of a connection
     */
    Dialer(ConnectionLoop loop, Transport transport, Address address, Duration time, Consumer<Channel> handlers) {
        bootstrap = new Bootstrap()
                .group(loop.executor)
                .channelFactory(transport::newSocket)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, time.toMillis()))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        handlers.accept(channel);
                    }
                });
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(address.host());
        if (literal == null) {
            bootstrap.resolver(transport.resolver());
            remote = InetSocketAddress.createUnresolved(address.host(), address.port());
        } else {
            bootstrap.disableResolver();
            remote = new InetSocketAddress(literal, address.port());
        }
    }

    /** Opens a connection. If file descriptors are exhausted, listeners of the future run on another thread. */
    ChannelFuture dial() {
        return bootstrap.connect(remote);
    }
}
