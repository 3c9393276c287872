// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listening socket continues after failures in accepting. */
@Timeout(60)
class AcceptorTest {
    @Test
    void acceptThatFails_pausesAndGoesOn() throws Exception {
        SynchronousQueue<Channel> accepted = new SynchronousQueue<>();
        AtomicInteger fails = new AtomicInteger(1);
        ChannelInitializer<Channel> children = new ChannelInitializer<>() {
            @Override
            public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
                if (fails.getAndDecrement() > 0) {
                    throw new NoClassDefFoundError("of the test");
                }
                super.handlerAdded(ctx);
            }

            @Override
            protected void initChannel(Channel channel) throws InterruptedException {
                boolean taken = accepted.offer(channel, 20, TimeUnit.SECONDS);
                if (!taken) {
                    throw new IllegalStateException("not expected");
                }
            }
        };
        try (Transport transport = new Transport()) {
            MultiThreadIoEventLoopGroup loops = transport.loops(2, new DefaultThreadFactory("acceptor-test"));
            Channel listening =
                    transport.bind(loops, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), children);
            connect(listening); // which fails
            for (Throwable thrown :
                    new Throwable[] {new IOException("Too many open files"), new OutOfMemoryError("test")}) {
                listening.pipeline().fireExceptionCaught(thrown);
                listening.pipeline().fireExceptionCaught(thrown);
                try (Socket socket = connect(listening)) {
                    assertThat(socket.isConnected()).isTrue();
                    assertThat(accepted.poll(20, TimeUnit.SECONDS)).isNotNull();
                }
            }
            var unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(20, TimeUnit.SECONDS);
        }
    }

    private static Socket connect(Channel listening) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        return new Socket(InetAddress.getLoopbackAddress(), address.getPort());
    }
}
