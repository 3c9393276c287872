// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.gateway.config.Limits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;

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
    private final Timeouts.Entry limit = new Timeouts.Entry(this::idle);

    private Http2(Core core, Loop loop, Channel channel, Http2FrameCodec codec) {
        this.core = core;
        this.loop = loop;
        this.channel = channel;
        this.codec = codec;
    }

    static void addTo(Channel channel, Core core, Loop loop, boolean secure) {
        Http2FrameCodec codec = Http2FrameCodecBuilder.forServer()
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(core.config.limits().streams())
                        .maxHeaderListSize(headerList(core.config.limits())))
                .frameLogger(new LengthWatch())
                .gracefulShutdownTimeoutMillis(core.config.drainLimit().toMillis())
                .build();
        Http2MultiplexHandler streams = new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline()
                        .addLast(
                                new StrictStreamCodec(core.config.limits()),
                                new ServerHandler(core, loop, stream, null, secure));
            }
        });
        Http2 connection = new Http2(core, loop, channel, codec);
        channel.pipeline().addLast(new FrameWatch(loop, connection::headTimedOut), codec, streams, connection);
    }

    /**
     * The limit of the decoder, by which it forgets what it reads: above those of {@link HeadRules}, which refuse with a
     * reason.
     */
    private static long headerList(Limits limits) {
        return limits.head() + limits.line() + (limits.fields() + PSEUDO) * OF_A_FIELD;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.connections.add(this);
        loop.idle.start(limit);
        if (loop.closesIdle) {
            drain();
        }
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
        if (codec.connection().numActiveStreams() == 0) {
            Channels.close(channel);
        } else {
            loop.idle.start(limit);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        limit.stop();
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
