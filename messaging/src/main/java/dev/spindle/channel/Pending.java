// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.wait.WaitQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A clause of a wait: a send to a channel or a receive from a channel. */
final class Pending<T> extends WaitQueue.Waiter<Pending<T>> implements Wait.Decision {
    final ChannelCore<T> core;
    final Wait wait;
    final boolean sends;

    /** The next clause of the same wait. */
    final @Nullable Pending<?> sibling;

    /** The key of the value to send; null for a receive, and if the channel is not conflating. */
    final @Nullable Object key;

    /** The value to send, or the received value; guarded by the channel's lock until the wait is decided. */
    @Nullable
    Object value;

    /** True if the channel was closed before or during the wait; guarded like {@code value}. */
    boolean closed;

    /** True if {@link ChannelCore#receiveDue} has parked this clause; used only by the thread that calls it. */
    boolean parked;

    /** The slot of the key, set before this clause is parked. */
    @Nullable
    KeySlot<T> slot;

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
     * Performs this clause if possible. Returns true if the clause was performed, or if the channel is closed and the
     * clause can no longer be performed. Called under the lock.
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

    /** Returns the received value; null after a send. Called without the lock, since this may run user code. */
    @Nullable
    T received() {
        return value == null ? null : core.resolve(value);
    }

    /** Throws a {@link ChannelClosedException} if this clause found the channel closed. */
    void requireOpen() {
        if (closed) {
            throw core.closedException();
        }
    }
}
