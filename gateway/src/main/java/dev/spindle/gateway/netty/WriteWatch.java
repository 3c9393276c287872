// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** Watches what a client, or one stream of it, has not taken of its answers: how long, and how many bytes. */
final class WriteWatch {
    /*
     * Confined to the event loop. Of a connection the bytes are those that the channel has and the socket has not
     * taken, of a stream those that flow control has not let through. `progress` changes whenever the client takes a
     * byte.
     *
     * WriteWatch-1  While bytes wait, the write limit runs. It cuts off a client that has taken none since it began.
     * WriteWatch-2  `charged` is taken from the memory, and given back when the bytes are gone or the channel is.
     */
    private final Memory memory;
    private final Loop loop;
    private final Channel channel;
    private final boolean stream;
    private final Cut cut;
    private final Timeouts.Entry limit = new Timeouts.Entry(this::passed, this::memoryShort);
    private long handed;
    private long taken;
    private long before;
    private long covered;
    private long charged;
    private boolean spared;
    private boolean stopped;

    /** Ends what is watched, at once. */
    interface Cut {
        /**
         * Ends it.
         *
         * @param forMemory whether the bytes that wait have to be gone when this returns
         */
        void off(String reason, boolean forMemory);
    }

    WriteWatch(Memory memory, Loop loop, Channel channel, boolean stream, Cut cut) {
        this.memory = memory;
        this.loop = loop;
        this.channel = channel;
        this.stream = stream;
        this.cut = cut;
    }

    /** Takes note of bytes that were written to the stream. */
    void handed(int bytes) {
        handed += bytes;
    }

    /** Takes note of bytes that flow control let through. */
    void taken(int bytes) {
        taken += bytes;
    }

    /** Says how many of the bytes that wait are counted by the request. */
    void covered(long bytes) {
        covered = bytes;
    }

    boolean isNothingWaiting() {
        return waiting() == 0;
    }

    /** Looks at what waits. To be called whenever more may wait, or less. */
    void look() {
        if (stopped) {
            return;
        }
        long now = waiting();
        if (now == 0) {
            limit.stop();
        } else if (!limit.isRunning()) {
            begin();
        }
        charge(Math.max(0, now - covered));
    }

    private long waiting() {
        if (stream) {
            return handed - taken;
        }
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    private long progress() {
        if (stream) {
            return taken;
        }
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    private void begin() {
        before = progress();
        loop.write.start(limit);
    }

    private void charge(long due) {
        long more = due - charged;
        charged = due;
        if (more < 0) {
            memory.give(-more);
        } else if (more > 0 && !memory.take(loop, more) && !stopped) {
            cut.off("there is no memory for an answer that is not read", true);
        }
    }

    private void passed() {
        spared = false;
        if (waiting() == 0) {
            look();
        } else if (progress() != before) {
            begin();
            look();
        } else {
            cut.off("the client took nothing for too long", false);
        }
    }

    private void memoryShort() {
        if (progress() != before && !spared) {
            spared = true;
            begin();
        } else {
            cut.off("the client took nothing while memory was short", true);
        }
    }

    /** The channel is gone. */
    void stop() {
        stopped = true;
        limit.stop();
        memory.give(charged);
        charged = 0;
    }
}
