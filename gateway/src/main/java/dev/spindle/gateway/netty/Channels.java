// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;

/**
 * Operations whose outcome nobody waits for: if one fails, the channel is closed, and its handlers are told of that.
 */
final class Channels {
    private Channels() {}

    static void close(Channel channel) {
        var unused = channel.close();
    }

    static void write(Channel channel, Object message) {
        var unused = channel.write(message, channel.voidPromise());
    }

    static void writeAndFlush(Channel channel, Object message) {
        var unused = channel.writeAndFlush(message, channel.voidPromise());
    }
}
