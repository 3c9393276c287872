// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A clause of a wait: a value to send over a channel, or a place for a value to receive. */
final class Pending<T> implements Wait.Decision {
    final ChannelCore<T> core;
    final Wait wait;
    final boolean sends;

    /** The next clause of the same wait. */
    final @Nullable Pending<?> sibling;

    /** The key of a value for a conflating channel. */
    final @Nullable Object key;

    /** The value to send, or the received value. Guarded by the channel's lock; used by the wait after the decision. */
    @Nullable
    Object value;

    /** True if the channel was closed before or during the wait. Guarded like {@code value}. */
    boolean closed;

    /** True if a consumer was parked after a shutdown. Used by the thread of the consumer. */
    boolean parked;

    /** The slot of the key, set before this clause is parked. */
    @Nullable
    KeySlot<T> slot;

    // the links of WaitQueue, under the lock of the channel
    @Nullable
    Pending<T> before;

    @Nullable
    Pending<T> after;

    boolean queued;

    private Pending(ChannelCore<T> core, Wait wait, boolean sends, @Nullable Object key, @Nullable T value) {
        this.core = core;
        this.wait = wait;
        this.sends = sends;
        this.key = key;
        this.value = value;
        sibling = wait.add(this);
    }

    static <T> Pending<T> send(ChannelCore<T> core, Wait wait, T value, @Nullable Object key) {
        return new Pending<>(core, wait, true, key, value);
    }

    static <T> Pending<T> receive(ChannelCore<T> core, Wait wait) {
        return new Pending<>(core, wait, false, null, null);
    }

    /**
     * Performs this clause if possible; returns whether it was performed, or found the channel closed. Under the lock.
     */
    boolean attempt() {
        if (sends) {
            closed = core.isClosed();
            return closed || core.trySend(toSend(), slot);
        }
        value = core.tryReceive();
        closed = value == null && core.isClosed();
        return closed || value != null;
    }

    /** Returns the value to send. */
    T toSend() {
        return core.resolve(Objects.requireNonNull(value));
    }

    /** Returns the received value; null after a send. May run user code, outside the lock. */
    @Nullable
    T received() {
        return value == null ? null : core.resolve(value);
    }

    /** Throws if the channel was closed. */
    void requireOpen() {
        if (closed) {
            throw core.closedException();
        }
    }
}
