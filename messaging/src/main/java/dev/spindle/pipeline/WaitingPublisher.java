// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.wait.WaitQueue;
import dev.spindle.messaging.WithdrawableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A publisher that waits for slots: a thread, or an event with its filler and its future. */
class WaitingPublisher<E> extends WaitQueue.Waiter<WaitingPublisher<E>> {
    static final long NONE = -1;
    static final long REFUSED = -2;

    final @Nullable Thread thread; // null for an event
    final WaitOrigin origin;
    final int count; // the number of consecutive slots
    final long since;
    boolean inside; // true if a worker of the spindle created this waiter; guarded by the lock of the gate
    volatile long sequence = NONE;

    WaitingPublisher(Thread thread, int count, long since) {
        this(thread, WaitOrigin.ofThread(), count, since);
    }

    private WaitingPublisher(@Nullable Thread thread, WaitOrigin origin, int count, long since) {
        this.thread = thread;
        this.origin = origin;
        this.count = count;
        this.since = since;
    }

    /** Returns whether this publisher was admitted or rejected. */
    final boolean isDecided() {
        return sequence != NONE;
    }

    /** An event that waits for its slot. A completion of the future has no effect if the event has its slot. */
    static final class Event<E> extends WaitingPublisher<E> {
        final Consumer<? super E> filler;
        final WithdrawableFuture<@Nullable Void> future;

        Event(PublisherGate<E> gate, Consumer<? super E> filler, long since) {
            super(null, WaitOrigin.ofStage("publishAsync"), 1, since);
            this.filler = filler;
            future = new WithdrawableFuture<>(() -> gate.abandon(this, false));
        }
    }
}
