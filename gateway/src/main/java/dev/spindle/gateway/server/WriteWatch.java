// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Memory;
import dev.spindle.gateway.loop.Timeouts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** A watch on the bytes of answers that a client, or one stream of it, has not taken: how many, and for how long. */
final class WriteWatch {
    /*
     * Confined to the event loop. Of a connection the watched bytes are those that the channel has and the socket has
     * not taken; of a stream, those that flow control has not let through. `progress` changes whenever the client takes
     * a byte.
     *
     * WriteWatch-1  While bytes wait, the write limit runs. It cuts off a client that has taken none since it began.
     * WriteWatch-2  `charged` is taken from the memory, and given back when the bytes are gone or the channel is.
     */
    private final Memory memory;
    private final ConnectionLoop loop;
    private final Channel channel;
    private final boolean stream;
    private final Cut cut;
    private final Timeouts.Entry limit = new Timeouts.Entry(this::passed, this::memoryShort);
    /** Bytes that were written to the stream. */
    private long handed;
    /** Bytes that flow control let through. */
    private long taken;
    /** The progress when the limit was started. */
    private long before;
    /** How many of the bytes the request has counted already. */
    private long covered;
    /** How many of the bytes are taken from the memory. */
    private long charged;
    /** Whether memory was short once while the client made progress: the next time it is cut off. */
    private boolean spared;
    /** Whether the channel is gone. */
    private boolean stopped;

    /** Ends what is watched. */
    interface Cut {
        /**
         * Ends it at once.
         *
         * @param forMemory whether the bytes that wait have to be gone when this returns
         */
        void off(String reason, boolean forMemory);
    }

    /**
     * Creates a watch. No limit runs until bytes wait.
     *
     * @param stream whether the channel is a stream
     * @param cut ends what is watched
     */
    WriteWatch(Memory memory, ConnectionLoop loop, Channel channel, boolean stream, Cut cut) {
        this.memory = memory;
        this.loop = loop;
        this.channel = channel;
        this.stream = stream;
        this.cut = cut;
    }

    /** Counts bytes that were written to the stream. */
    void handed(int bytes) {
        handed += bytes;
    }

    /** Counts bytes that flow control let through. */
    void taken(int bytes) {
        taken += bytes;
    }

    /** Sets how many of the bytes the request counts itself. */
    void covered(long bytes) {
        covered = bytes;
    }

    /** Returns whether the client has taken all bytes. */
    boolean isNothingWaiting() {
        return waiting() == 0;
    }

    /** Starts or stops the limit, and charges the bytes that wait. To be called whenever there may be more or fewer. */
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

    /** Returns how many bytes the client has not taken. */
    private long waiting() {
        if (stream) {
            return handed - taken;
        }
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** Returns a number that changes with each byte that the client takes. */
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

    /** Takes from the memory what is due, or gives back what is not. Cuts off the client if there is none. */
    private void charge(long due) {
        long more = due - charged;
        charged = due;
        if (more < 0) {
            memory.give(-more);
        } else if (more > 0 && !memory.take(loop, more) && !stopped) {
            cut.off("there is no memory for an answer that is not read", true);
        }
    }

    /** The write limit has passed. */
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

    /**
     * Memory is short, and no limit was started before this one. A client that has made progress since is spared once.
     */
    private void memoryShort() {
        if (progress() != before && !spared) {
            spared = true;
            begin();
        } else {
            cut.off("the client took nothing while memory was short", true);
        }
    }

    /** Stops the watch: the channel is gone. */
    void stop() {
        stopped = true;
        limit.stop();
        memory.give(charged);
        charged = 0;
    }
}
