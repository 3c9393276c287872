// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.WaitOrigin;
import dev.spindle.messaging.StackCheckedFuture;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A publisher that waits for slots: a thread, or the future of an event with its filler. If the user completes or
 * cancels the future, the event is withdrawn first. If the event already has a slot, the completion has no effect.
 */
final class WaitingPublisher<E> extends StackCheckedFuture<@Nullable Void> {
    static final long NONE = -1;
    static final long REFUSED = -2;

    final @Nullable Thread thread; // null for a future
    private volatile @Nullable PublisherGate<E> gate; // null for a thread, and after the future was completed
    private volatile @Nullable Consumer<? super E> filler;
    final WaitOrigin origin;
    final int count; // the number of consecutive slots
    final long since;
    boolean inside; // true if a worker of the spindle created this waiter; guarded by the lock of the gate
    volatile long sequence = NONE;

    WaitingPublisher(Thread thread, int count, long since) {
        this.gate = null;
        this.thread = thread;
        this.filler = null;
        this.count = count;
        this.since = since;
        origin = WaitOrigin.ofThread();
    }

    WaitingPublisher(PublisherGate<E> gate, Consumer<? super E> filler, long since) {
        this.gate = gate;
        this.thread = null;
        this.filler = filler;
        this.count = 1;
        this.since = since;
        origin = WaitOrigin.ofStage("publishAsync");
    }

    /** Returns whether this publisher was admitted or rejected. */
    boolean isDecided() {
        return sequence != NONE;
    }

    /** Returns the filler of a future. Called after the admission. */
    Consumer<? super E> filler() {
        return Objects.requireNonNull(filler);
    }

    /** Completes the future of an event that was published. */
    void published() {
        forget();
        succeed(null);
    }

    /** Completes the future of an event that was not published. */
    void failed(Throwable failure) {
        forget();
        fail(failure);
    }

    private void forget() {
        gate = null;
        filler = null;
    }

    @Override
    protected boolean withdraw() {
        PublisherGate<E> of = gate;
        if (of == null || !of.abandon(this, false)) {
            return false;
        }
        forget();
        return true;
    }
}
