// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lower bound of the cost: a gateway that consists of Netty's codecs only. One event loop runs all connections, and
 * idle connections to a backend are reused. The gateway has no time limit, bound or metrics.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
final class NettyGateway implements Server {
    private static final ByteBuf GET = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes("GET /echo HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)));

    private final Loops loops = new Loops();
    private final List<Backend> backends = new ArrayList<>();

    NettyGateway(Plan plan) {
        plan.backends().forEach(port -> backends.add(new Backend(port)));
    }

    @Override
    public List<Integer> start() throws InterruptedException {
        return List.of(loops.listen(() -> List.of(new HttpServerCodec(), new Front())));
    }

    private final class Front extends ChannelInboundHandlerAdapter {
        private String path = "";

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                path = request.uri();
            }
            boolean whole = message instanceof LastHttpContent;
            ReferenceCountUtil.release(message);
            if (whole) {
                Optional<Route> route = Route.at(path);
                if (route.isPresent()) {
                    new Join(context, route.get().calls()).begin();
                } else {
                    answer(context, HttpResponseStatus.NOT_FOUND, Unpooled.EMPTY_BUFFER);
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
            context.close();
        }
    }

    private static void answer(ChannelHandlerContext context, HttpResponseStatus status, ByteBuf body) {
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, Route.TYPE)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response, context.voidPromise());
    }

    private final class Join {
        private final ChannelHandlerContext client;
        private final @Nullable ByteBuf[] answers;
        private int left;
        private boolean failed;

        Join(ChannelHandlerContext client, int calls) {
            this.client = client;
            answers = new ByteBuf[calls];
            left = calls;
        }

        void begin() {
            for (int i = 0; i < answers.length; i++) {
                backends.get(i).call(this, i);
            }
        }

        /** @param answer the body, or null if the call failed */
        void arrived(int index, @Nullable ByteBuf answer) {
            answers[index] = answer;
            failed |= answer == null;
            if (--left == 0) {
                finish();
            }
        }

        private void finish() {
            ByteBuf body = client.alloc().buffer(1_024);
            boolean several = answers.length > 1;
            for (int i = 0; i < answers.length; i++) {
                ByteBuf one = answers[i];
                if (one != null) {
                    if (several) {
                        body.writeByte(i == 0 ? '[' : ',');
                    }
                    body.writeBytes(one);
                    one.release();
                }
            }
            if (several) {
                body.writeByte(']');
            }
            if (failed) {
                body.clear();
            }
            answer(client, failed ? HttpResponseStatus.BAD_GATEWAY : HttpResponseStatus.OK, body);
        }
    }

    private final class Backend {
        private final int port;
        private final Bootstrap bootstrap;
        private final Deque<Back> idle = new ArrayDeque<>();

        Backend(int port) {
            this.port = port;
            bootstrap = loops.client(() -> List.of(new HttpResponseDecoder(), new Back(this)));
        }

        void call(Join join, int index) {
            Back connection = idle.pollLast();
            if (connection != null) {
                connection.send(join, index);
                return;
            }
            ChannelFuture connecting = bootstrap.connect("127.0.0.1", port);
            connecting.addListener(done -> {
                if (done.isSuccess()) {
                    connecting.channel().pipeline().get(Back.class).send(join, index);
                } else {
                    join.arrived(index, null);
                }
            });
        }
    }

    private static final class Back extends ChannelInboundHandlerAdapter {
        private final Backend backend;
        private @Nullable Channel channel;
        private @Nullable Join join;
        private @Nullable ByteBuf body;
        private int index;

        Back(Backend backend) {
            this.backend = backend;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            channel = context.channel();
        }

        void send(Join forRequest, int at) {
            join = forRequest;
            index = at;
            Channel connection = channel;
            if (connection != null) {
                connection.writeAndFlush(GET.duplicate(), connection.voidPromise());
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpContent content) {
                ByteBuf part = content.content();
                ByteBuf before = body;
                body = before == null ? part : Unpooled.wrappedBuffer(before, part);
                if (message instanceof LastHttpContent) {
                    ByteBuf whole = body;
                    body = null;
                    backend.idle.addLast(this);
                    arrived(whole);
                }
            }
        }

        private void arrived(@Nullable ByteBuf answer) {
            Join waiting = join;
            join = null;
            if (waiting != null) {
                waiting.arrived(index, answer);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            backend.idle.remove(this);
            arrived(null);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
            context.close();
        }
    }
}
