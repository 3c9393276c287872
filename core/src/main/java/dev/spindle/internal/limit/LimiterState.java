// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.Interrupts;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The word, the limits and the counts of a {@link ConcurrencyLimiter}, and what a task does not pass on its way. */
public abstract sealed class LimiterState extends ReadyEntry permits ConcurrencyLimiter {
    /*
     * The word holds, from its lowest bit:
     *   waiting   30  tasks in the queue that are not claimed
     *   arriving  14  admitted submitters that have not yet queued their task, and withdrawals
     *   held      16  tokens that workers hold
     *   OFFERED       one more token is on offer: this object is ready, or a worker has just dequeued it
     *   SHUT          no further submit is admitted
     *   TAKING        only shutdownNow takes waiting tasks
     *   INTERRUPTING  a thread interrupts the workers that hold tokens
     *
     * ConcurrencyLimiter has the transitions and the invariants.
     */
    static final long ONE_ARRIVING = 1L << 30;
    static final long ONE_HELD = 1L << 44;
    static final long OFFERED = 1L << 60;
    static final long SHUT = 1L << 61;
    static final long TAKING = 1L << 62;
    static final long INTERRUPTING = 1L << 63;
    static final long WAITING = ONE_ARRIVING - 1;
    static final long ARRIVING = ONE_HELD - ONE_ARRIVING;
    static final long HELD = OFFERED - ONE_HELD;
    static final long ACTIVE = WAITING | ARRIVING | HELD | TAKING; // ConcurrencyLimiter-5

    /** The maximum number of waiting tasks, and the capacity of an executor without a bound. */
    public static final int UNBOUNDED = (int) WAITING;

    static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(LimiterState.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    volatile long word;
    volatile long limit; // the number of tokens, times ONE_HELD
    volatile int capacity; // the maximum of waiting + arriving, while held exceeds the limit
    volatile int most; // the maximum of waiting + arriving + held (ConcurrencyLimiter-7)
    final AtomicLong completed = new AtomicLong();
    final AtomicLong failed = new AtomicLong();
    private final String name;
    private final Consumer<Consumer<WorkerContext>> workers;
    private volatile int tokens;
    private @Nullable IntSupplier followed; // the source of `tokens`, or null if a user has set it; guarded by this

    LimiterState(String name, Consumer<Consumer<WorkerContext>> workers, int tokens, int capacity) {
        this.name = name;
        this.workers = workers;
        setLimits(tokens, capacity);
    }

    final void set(long bits) {
        for (long w = word; !WORD.compareAndSet(this, w, w | bits); w = word) {
            Thread.onSpinWait();
        }
    }

    private void clear(long bits) {
        for (long w = word; !WORD.compareAndSet(this, w, w & ~bits); w = word) {
            Thread.onSpinWait();
        }
    }

    // ---------------------------------------------------------------- the limits

    /** Returns whether the executor has been shut down. */
    public abstract boolean isShut();

    /** Puts a token on offer, and admits submitters, if the limits now allow it. */
    abstract void limitsChanged();

    /** Sets the number of tokens. With 0, no task begins; after a shutdown, 0 has the effect of 1. */
    public final void setTokens(int number) {
        synchronized (this) {
            followed = null;
            setLimits(number == 0 && isShut() ? 1 : number, capacity); // ConcurrencyLimiter-9
        }
        limitsChanged();
    }

    /** Sets the number of tokens to that of {@code source}, now and in each {@link #follow()}, until it is set. */
    public final void follow(IntSupplier source) {
        synchronized (this) {
            followed = source;
        }
        follow();
    }

    /**
     * Sets the number of tokens to that of the source, if there is one. The source is read under the monitor, so the
     * last of several threads that have changed it sets its last value.
     */
    public final void follow() {
        synchronized (this) {
            IntSupplier source = followed;
            if (source == null) {
                return;
            }
            setLimits(source.getAsInt(), capacity);
        }
        limitsChanged();
    }

    /** Sets the maximum number of tasks that wait while all tokens are held. */
    public final void setCapacity(int tasks) {
        synchronized (this) {
            setLimits(tokens, tasks);
        }
        limitsChanged();
    }

    private void setLimits(int number, int tasks) {
        tokens = number;
        limit = Math.min(number, HELD / ONE_HELD) * ONE_HELD;
        capacity = Math.min(tasks, UNBOUNDED);
        most = (int) Math.min(UNBOUNDED, (long) number + capacity);
    }

    /** Ends a pause by a limit of 0. Called after SHUT was set, since all that was accepted has to run. */
    final void endPause() {
        if (tokens == 0) { // D1
            setTokens(0);
        }
    }

    /** Returns the number of tokens, held or not. */
    public final int tokens() {
        return tokens;
    }

    // ---------------------------------------------------------------- interrupt

    /** Interrupts the workers that run tasks of this executor, and no others. */
    public final void interruptRunning() {
        for (long w = word; (w & INTERRUPTING) != 0 || !WORD.compareAndSet(this, w, w | INTERRUPTING); w = word) {
            Thread.onSpinWait();
        }
        Interrupter interrupter = new Interrupter();
        try {
            workers.accept(interrupter);
        } finally {
            clear(INTERRUPTING);
        }
        Interrupts.report(interrupter.failure);
    }

    private final class Interrupter implements Consumer<WorkerContext> {
        private @Nullable Throwable failure;

        @Override
        public void accept(WorkerContext worker) {
            Thread thread = worker.turn() == LimiterState.this ? worker.thread() : null;
            Throwable thrown = thread == null ? null : Interrupts.send(thread);
            failure = thrown == null ? failure : thrown;
        }
    }

    /**
     * Called after the calling worker has given up its token or an offer while another thread interrupts the workers.
     * Waits until that thread has finished, and clears the calling worker's interrupt status: the interrupt was meant
     * for its last turn.
     */
    final void awaitInterrupter() {
        while ((word & INTERRUPTING) != 0) {
            Thread.yield();
        }
        Thread.interrupted();
    }

    // ---------------------------------------------------------------- seen from outside, racy

    @Override
    public final String executor() {
        return name;
    }

    /** Returns the name of the executor. */
    public final String name() {
        return name;
    }

    /** Returns the number of workers that run tasks of this executor. */
    public final int running() {
        return (int) ((word & HELD) / ONE_HELD);
    }

    /** Returns the number of tasks that have ended on workers with an exception for the failure handler. */
    public final long failed() {
        return failed.get();
    }

    /** Returns an estimate of the number of waiting tasks. */
    public final int estimatedQueued() {
        return (int) (word & WAITING);
    }

    /** Returns the number of tasks that have ended on workers, normally or with an exception. */
    public final long completed() {
        return completed.get();
    }
}
