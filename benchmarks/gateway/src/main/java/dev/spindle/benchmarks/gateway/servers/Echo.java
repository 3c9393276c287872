// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The backends: seven ports, each of which answers a request after a delay. The delay varies by up to a fifth, so that
 * requests do not arrive in bursts. The server counts the requests. All ports share one event loop.
 *
 * <p>The command {@code calls} returns the number of requests received. The command {@code delay MILLIS PLACES} sets
 * the mean delay and the maximum number of concurrent requests per port. A maximum of 0 means no bound.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
final class Echo implements Server {
    private static final double JITTER = 0.2;

    private final AtomicLong calls = new AtomicLong();
    private volatile double delayMicros;
    private volatile int places;

    /** Returns the body of a backend's response, which every gateway must return unchanged. */
    static String body(int backend) {
        return "{\"backend\":" + backend + ",\"text\":\"the quick brown fox jumps over the lazy dog\"}";
    }

    @Override
    public List<Integer> start() throws InterruptedException {
        Loops loops = new Loops();
        List<Integer> ports = new ArrayList<>();
        for (int backend = 1; backend <= Route.BACKENDS; backend++) {
            Port port = new Port(answer(backend));
            ports.add(loops.listen(() -> List.of(new HttpRequestDecoder(), new Answering(port))));
        }
        return ports;
    }

    @Override
    public String answer(String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("delay")) {
            delayMicros = Double.parseDouble(words[1]) * 1_000;
            places = Integer.parseInt(words[2]);
        }
        return Long.toString(calls.get());
    }

    private static ByteBuf answer(int backend) {
        String body = body(backend);
        String text = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + body.length()
                + "\r\n\r\n" + body;
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A port and its waiting requests, used only by the event loop. */
    private final class Port {
        private final ByteBuf answer;
        private final Queue<ChannelHandlerContext> waiting = new ArrayDeque<>();
        private int taken;

        Port(ByteBuf answer) {
            this.answer = answer;
        }

        void request(ChannelHandlerContext connection) {
            int most = places;
            if (most > 0 && taken >= most) {
                waiting.add(connection);
            } else {
                begin(connection);
            }
        }

        private void begin(ChannelHandlerContext connection) {
            taken++;
            double share = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
            connection.executor().schedule(() -> end(connection), (long) (delayMicros * share), TimeUnit.MICROSECONDS);
        }

        private void end(ChannelHandlerContext connection) {
            taken--;
            connection.writeAndFlush(answer.duplicate(), connection.voidPromise());
            ChannelHandlerContext next = waiting.poll();
            if (next != null) {
                begin(next);
            }
        }
    }

    private final class Answering extends ChannelInboundHandlerAdapter {
        private final Port port;

        Answering(Port port) {
            this.port = port;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean whole = message instanceof LastHttpContent;
            ReferenceCountUtil.release(message);
            if (whole) {
                calls.incrementAndGet();
                port.request(context);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
            context.close(); // for example, a gateway that ended has reset the connection
        }
    }
}
