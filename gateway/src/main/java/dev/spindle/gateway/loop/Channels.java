// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/**
 * Operations on channels for callers that do not wait for the outcome.
 *
 * <p>A write that fails is reported to the pipeline of the channel, whose handlers close it. Any thread may close and
 * write; {@link #drop} and {@link #reset} are called on the loop of the channel.
 */
public final class Channels {
    private Channels() {}

    /** Closes a channel through its pipeline, so that TLS and HTTP/2 send their closing messages. */
    public static void close(Channel channel) {
        var unused = channel.close();
    }

    /** Closes a channel at once: unsent bytes are dropped, and TLS and HTTP/2 send no closing message. */
    public static void drop(Channel channel) {
        channel.unsafe().close(channel.unsafe().voidPromise());
    }

    /**
     * Drops a connection so that the other end receives a reset, and does not mistake a truncated message for a
     * complete message.
     */
    public static void reset(Channel channel) {
        boolean unused = channel.config().setOption(ChannelOption.SO_LINGER, 0);
        drop(channel);
    }

    /** Writes a message without flushing it. */
    public static void write(Channel channel, Object message) {
        var unused = channel.write(message, channel.voidPromise());
    }

    /** Writes a message, and flushes it with all messages written before it. */
    public static void writeAndFlush(Channel channel, Object message) {
        var unused = channel.writeAndFlush(message, channel.voidPromise());
    }
}
