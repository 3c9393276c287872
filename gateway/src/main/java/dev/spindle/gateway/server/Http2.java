// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.protocol.LengthWatch;
import dev.spindle.gateway.protocol.Refusal;
import dev.spindle.gateway.protocol.StrictStreamCodec;
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
 * An HTTP/2 connection: each stream is a channel on the same loop, with its own {@link ServerHandler}.
 *
 * <p>Confined to the event loop. The codec owns the protocol; this handler adds the limits of the connection: idle
 * time, unread answers, the drain.
 */
final class Http2 extends ChannelInboundHandlerAdapter implements ConnectionLoop.Drainable {
    /** The number of pseudo fields that a request may have besides the counted fields. */
    private static final int PSEUDO = 8;
    /** An upper bound of the bytes that the decoder counts for a field besides its name and value. */
    private static final long OF_A_FIELD = 40;

    private final GatewayState gateway;
    private final ConnectionLoop loop;
    private final Channel channel;
    private final Http2FrameCodec codec;
    /** Reports to the watches of streams the bytes that flow control lets through. */
    private final StreamFlow flow;
    /** Watches the bytes of all streams that the socket has not taken. */
    private final WriteWatch watch;
    /** The handlers of the open streams. */
    private final Set<ServerHandler> streams = new HashSet<>();
    /** Runs while no stream is open. */
    private final Timeouts.Entry limit = new Timeouts.Entry(this::idle);

    private Http2(GatewayState gateway, ConnectionLoop loop, Channel channel, Http2FrameCodec codec, StreamFlow flow) {
        this.gateway = gateway;
        this.loop = loop;
        this.channel = channel;
        this.codec = codec;
        this.flow = flow;
        watch = new WriteWatch(gateway.memory, loop, channel, false, (reason, forMemory) -> cutOff(reason));
    }

    /**
     * Builds a codec for an existing connection; {@link Http2FrameCodecBuilder#forServer} would make a new connection.
     */
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

    /**
     * Adds the handlers of HTTP/2 to a connection.
     *
     * @param secure true if the connection has TLS
     */
    static void addTo(Channel channel, GatewayState gateway, ConnectionLoop loop, boolean secure) {
        DefaultHttp2Connection protocol = new DefaultHttp2Connection(true);
        StreamFlow flow = new StreamFlow(protocol);
        protocol.remote().flowController(flow);
        Http2FrameCodec codec = new CodecBuilder(protocol)
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(gateway.config.limits().streams())
                        .maxHeaderListSize(headerList(gateway.config.limits())))
                .frameLogger(new LengthWatch())
                .gracefulShutdownTimeoutMillis(gateway.config.drainLimit().toMillis())
                .build();
        Http2 connection = new Http2(gateway, loop, channel, codec, flow);
        Http2MultiplexHandler streams = new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel stream) {
                StreamWindow window = new StreamWindow(stream);
                boolean unused = stream.config().setOption(Http2StreamChannelOption.AUTO_STREAM_FLOW_CONTROL, false);
                stream.pipeline()
                        .addLast(
                                window,
                                new StrictStreamCodec(gateway.config.limits()),
                                new ServerHandler(gateway, loop, stream, connection, window, secure));
            }
        });
        protocol.addListener(connection.new Activity());
        channel.pipeline().addLast(new FrameWatch(loop, connection::headTimedOut), codec, streams, connection);
    }

    /**
     * Returns the limit beyond which the decoder drops a head without a reason. This limit is above the limits of
     * {@code HeadRules}, which refuses a head with a reason.
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

    /**
     * Makes the window of the connection as large as the windows of all streams together. A stream whose body is not
     * taken then does not block other streams.
     */
    private void openWindow(ChannelHandlerContext ctx) {
        long most = (gateway.config.limits().streams() + 1L) * Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        int more = (int) Math.min(Integer.MAX_VALUE, most) - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        Http2Connection protocol = codec.connection();
        try {
            protocol.local().flowController().incrementWindowSize(protocol.connectionStream(), more);
            ctx.flush();
        } catch (Http2Exception e) {
            Channels.close(channel);
        }
    }

    /** Adds the handler of a stream, and registers its watch for the bytes that flow control lets through. */
    void opened(Channel stream, ServerHandler handler, WriteWatch ofStream) {
        streams.add(handler);
        if (stream instanceof Http2StreamChannel known) {
            flow.tell(known.stream().id(), ofStream);
        }
    }

    /** Removes the handler of a stream. */
    void closed(ServerHandler handler) {
        streams.remove(handler);
    }

    /** Updates the watch of the bytes that the socket has not taken. */
    void look() {
        watch.look();
    }

    /**
     * Called when a stream was cut off. If memory was the reason and bytes wait for the socket, the whole connection is
     * cut off, since these bytes would stay in memory.
     *
     * @param forMemory true if the stream was cut off to free memory
     */
    void streamCutOff(boolean forMemory) {
        if (forMemory && !watch.isNothingWaiting()) {
            cutOff("the client took nothing while memory was short");
        } else {
            look();
        }
    }

    /** Drops the connection, and tells the streams the reason. */
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

    /** Releases frames that concern no stream, such as settings and pings. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    /** Closes the connection, since a stream without a head cannot be answered. */
    private void headTimedOut() {
        gateway.refused(Transport.host(channel), null, new Refusal(408, "the head took too long"));
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

    /** Sends GOAWAY, and closes the connection when the last stream has ended. */
    @Override
    public void drain() {
        Channels.close(channel);
        look(); // the GOAWAY may wait for the client
    }

    /** Returns false, since the handler of each stream reports its own request. */
    @Override
    public boolean isBusy() {
        return false;
    }

    /** Closes the connection with all its streams. */
    @Override
    public void cutOff() {
        codec.gracefulShutdownTimeoutMillis(0);
        Channels.close(channel);
    }
}
