// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/**
 * Operations whose outcome nobody waits for: if one fails, the channel is closed, and its handlers are told of that.
 */
final class Channels {
    private Channels() {}

    static void close(Channel channel) {
        var unused = channel.close();
    }

    /** Closes at once: what waits is dropped, and no protocol is ended. */
    static void drop(Channel channel) {
        channel.unsafe().close(channel.unsafe().voidPromise());
    }

    /** Drops a connection so that its other end sees a reset, and takes nothing that came for whole. */
    static void reset(Channel channel) {
        boolean unused = channel.config().setOption(ChannelOption.SO_LINGER, 0);
        drop(channel);
    }

    static void write(Channel channel, Object message) {
        var unused = channel.write(message, channel.voidPromise());
    }

    static void writeAndFlush(Channel channel, Object message) {
        var unused = channel.writeAndFlush(message, channel.voidPromise());
    }
}
