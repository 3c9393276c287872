// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Memory;
import dev.spindle.gateway.loop.Timeouts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * A watch of the answer bytes that the client of a connection or of one HTTP/2 stream has not taken. The watch bounds
 * the time for which these bytes wait, and counts them in the memory.
 */
final class WriteWatch {
    /*
     * Confined to the event loop. The watched bytes of a connection are the bytes in the channel that the socket has
     * not taken; the watched bytes of a stream are the bytes that flow control has not let through. `progress()`
     * changes when the client takes a byte; for a connection it also changes when bytes are written.
     *
     * WriteWatch-1  While bytes wait, the write limit runs. The limit cuts off a client that has taken no byte since
     *               the limit was started.
     * WriteWatch-2  `charged` is taken from the memory, and given back when the bytes are written or the channel is
     *               closed.
     */
    private final Memory memory;
    private final ConnectionLoop loop;
    private final Channel channel;
    private final boolean stream;
    private final Cut cut;
    private final Timeouts.Entry limit = new Timeouts.Entry(this::passed, this::memoryShort);
    /** The number of bytes that were written to the stream. */
    private long handed;
    /** The number of bytes that flow control has let through. */
    private long taken;
    /** The value of {@link #progress} when the limit was started. */
    private long before;
    /** The number of watched bytes that the exchange has already counted in the memory. */
    private long covered;
    /** The number of watched bytes that this watch has counted in the memory. */
    private long charged;
    /** True if the client was spared at a shortage of memory since the limit last passed, and is not spared again. */
    private boolean spared;
    /** True if the channel is closed. */
    private boolean stopped;

    /** The action that ends the watched connection or stream. */
    interface Cut {
        /**
         * Ends the connection or stream at once.
         *
         * @param forMemory true if the waiting bytes must be released before this method returns
         */
        void off(String reason, boolean forMemory);
    }

    /**
     * Creates a watch. No limit runs until bytes wait.
     *
     * @param stream true if the channel is a stream
     * @param cut the action that ends the watched connection or stream
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

    /** Sets the number of watched bytes that the exchange has already counted in the memory. */
    void covered(long bytes) {
        covered = bytes;
    }

    /** Returns whether the client has taken all bytes. */
    boolean isNothingWaiting() {
        return waiting() == 0;
    }

    /**
     * Starts or stops the limit, and counts the waiting bytes in the memory. Called whenever the number of waiting
     * bytes may have changed.
     */
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

    /** Returns the number of bytes that the client has not taken. */
    private long waiting() {
        if (stream) {
            return handed - taken;
        }
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** Returns a number that changes when the client takes a byte; for a connection, also when bytes are written. */
    private long progress() {
        if (stream) {
            return taken; // WriteWatch-1
        }
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    private void begin() {
        before = progress();
        loop.write.start(limit);
    }

    /** Adjusts the bytes counted in the memory. Cuts off the client if memory is exhausted. */
    private void charge(long due) {
        long more = due - charged;
        charged = due;
        if (more < 0) {
            memory.give(-more);
        } else if (more > 0 && !memory.take(loop, more) && !stopped) {
            cut.off("there is no memory for an answer that is not read", true);
        }
    }

    /** Called when the write limit has passed. */
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
     * Called when memory is short and this limit is the oldest of the loop. A client that has made progress since the
     * start of the limit is spared once.
     */
    private void memoryShort() {
        if (progress() != before && !spared) {
            spared = true;
            begin();
        } else {
            cut.off("the client took nothing while memory was short", true);
        }
    }

    /** Stops the watch, since the channel is closed. */
    void stop() {
        stopped = true;
        limit.stop();
        memory.give(charged); // WriteWatch-2
        charged = 0;
    }
}
