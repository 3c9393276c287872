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
 * The floor: Netty's codecs and nothing else. A client's connection, the calls for it and what joins them are all on
 * one loop; idle connections to a backend are a stack. No time limit, no bound, no metrics.
 */
@SuppressWarnings("FutureReturnValueIgnored") // whoever waits is told by its connection
final class NettyGateway implements Server {
    private static final String POST = "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ";
    private static final ByteBuf GET = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes("GET /echo HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)));

    private final Loops loops;
    private final List<Backend> backends = new ArrayList<>();

    NettyGateway(Plan plan) {
        loops = plan.guard() == Plan.Guard.SPIN ? Loops.spinning() : new Loops();
        plan.backends().forEach(port -> backends.add(new Backend(port)));
    }

    @Override
    public List<Integer> start() throws InterruptedException {
        return List.of(loops.listen(() -> List.of(new HttpServerCodec(), new Front())));
    }

    /** A client's connection: one request at a time. */
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
                    new Join(context, route.get()).begin();
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
                .set(HttpHeaderNames.CONTENT_TYPE, Answers.TYPE)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response, context.voidPromise());
    }

    /** A request and the answers that it waits for. */
    private final class Join {
        private final ChannelHandlerContext client;
        private final Route route;
        private final @Nullable ByteBuf[] answers;
        private int left;
        private boolean failed;

        Join(ChannelHandlerContext client, Route route) {
            this.client = client;
            this.route = route;
            answers = new ByteBuf[route.calls()];
            left = route.calls();
        }

        void begin() {
            for (int i = 0; i < (route.inTurn() ? 1 : route.calls()); i++) {
                backends.get(i).call(this, i, null);
            }
        }

        /** @param answer null where there is none */
        void arrived(int index, @Nullable ByteBuf answer) {
            answers[index] = answer;
            failed |= answer == null;
            left--;
            if (failed && route.inTurn()) {
                left = 0;
            }
            if (left == 0) {
                finish();
            } else if (route.inTurn()) {
                backends.get(index + 1).call(this, index + 1, answer);
            }
        }

        private void finish() {
            ByteBuf body = client.alloc().buffer(1_024);
            boolean several = !route.inTurn() && route.calls() > 1;
            for (int i = 0; i < answers.length; i++) {
                ByteBuf one = answers[i];
                if (one != null) {
                    if (several) {
                        body.writeByte(i == 0 ? '[' : ',');
                    }
                    if (!route.inTurn() || i == answers.length - 1) {
                        body.writeBytes(one);
                    }
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

        /** @param sent what is sent along; null for nothing */
        void call(Join join, int index, @Nullable ByteBuf sent) {
            Back connection = idle.pollLast();
            if (connection != null) {
                connection.send(join, index, sent);
                return;
            }
            ChannelFuture connecting = bootstrap.connect("127.0.0.1", port);
            connecting.addListener(done -> {
                if (done.isSuccess()) {
                    connecting.channel().pipeline().get(Back.class).send(join, index, sent);
                } else {
                    join.arrived(index, null);
                }
            });
        }
    }

    /** A connection to a backend: one call at a time. */
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

        void send(Join forRequest, int at, @Nullable ByteBuf sent) {
            join = forRequest;
            index = at;
            Channel connection = channel;
            if (connection != null) {
                connection.writeAndFlush(request(connection, sent), connection.voidPromise());
            }
        }

        private static ByteBuf request(Channel connection, @Nullable ByteBuf sent) {
            if (sent == null) {
                return GET.duplicate();
            }
            int length = sent.readableBytes();
            ByteBuf request = connection.alloc().buffer(128 + length);
            request.writeCharSequence(POST + length + "\r\n\r\n", StandardCharsets.US_ASCII);
            return request.writeBytes(sent, sent.readerIndex(), length);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpContent content) {
                ByteBuf part = content.content();
                ByteBuf before = body;
                body = before == null ? part : Unpooled.wrappedBuffer(before, part);
                if (message instanceof LastHttpContent) {
                    Join waiting = join;
                    ByteBuf whole = body;
                    join = null;
                    body = null;
                    backend.idle.addLast(this);
                    if (waiting != null) {
                        waiting.arrived(index, whole);
                    }
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            backend.idle.remove(this);
            Join waiting = join;
            join = null;
            if (waiting != null) {
                waiting.arrived(index, null);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
            context.close();
        }
    }
}
