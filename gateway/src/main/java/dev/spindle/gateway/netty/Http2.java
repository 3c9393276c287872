// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.gateway.config.Limits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelOption;
import io.netty.util.ReferenceCountUtil;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An HTTP/2 connection: each stream is a channel of its own, on the same loop, with a {@link ServerHandler} of its own.
 */
final class Http2 extends ChannelInboundHandlerAdapter implements Loop.Drainable {
    private static final int PSEUDO = 8;
    private static final long OF_A_FIELD = 40;

    private final Core core;
    private final Loop loop;
    private final Channel channel;
    private final Http2FrameCodec codec;
    private final StreamFlow flow;
    private final WriteWatch watch;
    private final Set<ServerHandler> streams = new HashSet<>();
    private final Timeouts.Entry limit = new Timeouts.Entry(this::idle);

    private Http2(Core core, Loop loop, Channel channel, Http2FrameCodec codec, StreamFlow flow) {
        this.core = core;
        this.loop = loop;
        this.channel = channel;
        this.codec = codec;
        this.flow = flow;
        watch = new WriteWatch(core.memory, loop, channel, false, (reason, forMemory) -> cutOff(reason));
    }

    /** Of a connection that was made before, which {@link Http2FrameCodecBuilder#forServer} would make another of. */
    private static final class CodecBuilder extends Http2FrameCodecBuilder {
        CodecBuilder(Http2Connection connection) {
            super.connection(connection);
        }
    }

    /** Runs the idle limit while no stream is open. */
    private final class Activity extends Http2ConnectionAdapter {
        @Override
        public void onStreamActive(Http2Stream stream) {
            limit.stop();
        }

        @Override
        public void onStreamClosed(Http2Stream stream) {
            if (codec.connection().numActiveStreams() == 0 && channel.isActive()) {
                loop.idle.start(limit);
            }
        }
    }

    static void addTo(Channel channel, Core core, Loop loop, boolean secure) {
        DefaultHttp2Connection protocol = new DefaultHttp2Connection(true);
        StreamFlow flow = new StreamFlow(protocol);
        protocol.remote().flowController(flow);
        Http2FrameCodec codec = new CodecBuilder(protocol)
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(core.config.limits().streams())
                        .maxHeaderListSize(headerList(core.config.limits())))
                .frameLogger(new LengthWatch())
                .gracefulShutdownTimeoutMillis(core.config.drainLimit().toMillis())
                .build();
        Http2 connection = new Http2(core, loop, channel, codec, flow);
        Http2MultiplexHandler streams = new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel stream) {
                StreamWindow window = new StreamWindow(stream);
                boolean unused = stream.config().setOption(Http2StreamChannelOption.AUTO_STREAM_FLOW_CONTROL, false);
                stream.pipeline()
                        .addLast(
                                window,
                                new StrictStreamCodec(core.config.limits()),
                                new ServerHandler(core, loop, stream, connection, window, secure));
            }
        });
        protocol.addListener(connection.new Activity());
        channel.pipeline().addLast(new FrameWatch(loop, connection::headTimedOut), codec, streams, connection);
    }

    /**
     * The limit of the decoder, by which it forgets what it reads: above those of {@link HeadRules}, which refuse with
     * a reason.
     */
    private static long headerList(Limits limits) {
        return limits.head() + limits.line() + (limits.fields() + PSEUDO) * OF_A_FIELD;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.connections.add(this);
        loop.idle.start(limit);
        openWindow(ctx);
        if (loop.closesIdle) {
            drain();
        }
    }

    /** Lets each stream fill its window: a body that its backend does not take holds up no other. */
    private void openWindow(ChannelHandlerContext ctx) {
        long most = (core.config.limits().streams() + 1L) * Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        int more = (int) Math.min(Integer.MAX_VALUE, most) - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        Http2Connection protocol = codec.connection();
        try {
            protocol.local().flowController().incrementWindowSize(protocol.connectionStream(), more);
            ctx.flush();
        } catch (Http2Exception e) {
            Channels.close(channel);
        }
    }

    /** Takes note of the handler of a stream, whose watch is told of what flow control lets through. */
    void opened(Channel stream, ServerHandler handler, WriteWatch ofStream) {
        streams.add(handler);
        if (stream instanceof Http2StreamChannel known) {
            flow.tell(known.stream().id(), ofStream);
        }
    }

    void closed(ServerHandler handler) {
        streams.remove(handler);
    }

    /** Takes note of what the socket has not taken. */
    void look() {
        watch.look();
    }

    /** A stream was reset; if the socket takes nothing, its bytes are kept as long as the connection. */
    void streamCutOff(boolean forMemory) {
        if (forMemory && !watch.isNothingWaiting()) {
            cutOff("the client took nothing while memory was short");
        } else {
            look();
        }
    }

    private void cutOff(String reason) {
        Channels.drop(channel);
        watch.stop();
        List.copyOf(streams).forEach(stream -> stream.connectionCutOff(reason));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        look();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        look();
        ctx.fireChannelReadComplete();
    }

    /** What concerns no stream: settings, pings. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    private void headTimedOut() {
        core.refused(Transport.host(channel), null, new Refusal(408, "the head took too long"));
        cutOff();
    }

    private void idle() {
        drain();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        limit.stop();
        watch.stop();
        loop.connections.remove(this);
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Channels.close(channel);
    }

    /** Sends GOAWAY, and closes when the last stream has ended. */
    @Override
    public void drain() {
        Channels.close(channel);
        look(); // at the GOAWAY
    }

    /** The requests are those of the streams. */
    @Override
    public boolean isBusy() {
        return false;
    }

    /** Closes with all streams, and without waiting for them. */
    @Override
    public void cutOff() {
        codec.gracefulShutdownTimeoutMillis(0);
        Channels.close(channel);
    }
}
