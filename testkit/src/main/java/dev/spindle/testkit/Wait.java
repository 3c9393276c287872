// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import dev.spindle.internal.WaitParty;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a task, or of a call of the test, in a simulation: the thread stands still until another calls it, while
 * others run one after the other.
 */
final class Wait {
    static final long FOREVER = Long.MAX_VALUE;

    /** How often the thread of a call looks whether the task that runs has got stuck. */
    private static final long TICK_NANOS = 50_000_000;

    private final Schedule schedule;
    private final Thread thread = Thread.currentThread();
    private final @Nullable SimulatedThread task;
    private final BooleanSupplier done;
    private final long begin;
    private final long nanos;
    private BooleanSupplier idle = () -> false;
    private boolean interruptible;
    private boolean outside;
    private boolean patient;
    private boolean leaves;
    private boolean listed; // among what is ready
    private boolean late;
    private long steps;
    private @Nullable RuntimeException failure;
    private @Nullable Throwable thrown;
    private volatile boolean called;
    private volatile boolean interrupted;

    /**
     * Creates the wait of the calling thread.
     *
     * @param task its thread if it is a task of this simulation, or null for a call of the test
     * @param nanos for how long it lasts at most, or {@link #FOREVER}
     */
    Wait(Schedule schedule, @Nullable SimulatedThread task, BooleanSupplier done, long now, long nanos) {
        this.schedule = schedule;
        this.task = task;
        this.done = done;
        this.nanos = nanos;
        begin = now;
    }

    /** Has an interrupt end this. */
    Wait interruptible(boolean ends) {
        interruptible = ends;
        return this;
    }

    /** Has this end, too, when nothing is ready and {@code over} holds, or when nothing can go on. */
    Wait untilIdle(BooleanSupplier over) {
        idle = over;
        leaves = true;
        return this;
    }

    /** Has this end no earlier than when nothing is ready, even if its time has passed. */
    Wait patient() {
        patient = true;
        return this;
    }

    /** Says that other threads may end this. */
    Wait outside() {
        outside = true;
        return this;
    }

    // ---------------------------------------------------------------- for the thread that chooses what runs next

    /** Returns the thread of the task; null for a call of the test. */
    @Nullable
    SimulatedThread task() {
        return task;
    }

    Thread thread() {
        return thread;
    }

    boolean isListed() {
        return listed;
    }

    void list() {
        listed = true;
    }

    /** Returns whether this ends without a failure when nothing can go on. */
    boolean leaves() {
        return leaves;
    }

    /** Returns whether other threads may end this. */
    boolean isOutside() {
        return outside;
    }

    boolean isLimited() {
        return nanos != FOREVER;
    }

    /** Returns how much of the time is left. */
    long left(long now) {
        return isLimited() ? Math.max(0, nanos - (now - begin)) : FOREVER;
    }

    boolean isOver() {
        return thrown != null || late || done.getAsBoolean() || (interruptible && isInterrupted());
    }

    /** Returns whether the time has passed, and something else that is ready may come first. */
    boolean isDue(long now) {
        return !patient && left(now) == 0;
    }

    /** Returns whether this ends now that nothing is ready. */
    boolean isOverWhenIdle(long now) {
        return left(now) == 0 || idle.getAsBoolean();
    }

    /** Called before time passes up to {@code until}: what is done later was not done in time. */
    void timePasses(long until) {
        late |= !patient && isLimited() && until - begin > nanos && !done.getAsBoolean();
    }

    boolean isLate() {
        return late;
    }

    /** Counts what ran meanwhile. */
    long countStep() {
        return ++steps;
    }

    /** Returns the lane or thread that has to act for this to end; null if that is not known. */
    @Nullable
    Object awaited() {
        return done instanceof WaitParty of ? of.party() : null;
    }

    /** Has the wait end with {@code failure}; {@link #call} is to follow. */
    void fail(RuntimeException failure) {
        this.failure = failure;
    }

    /** Has the wait end with what code of the library threw. */
    void failWith(Throwable thrown) {
        this.thrown = thrown;
    }

    /** Lets the thread go on. */
    void call() {
        called = true;
        LockSupport.unpark(thread);
    }

    /** Also true for an interrupt that came while the thread stood still, which keeps the flag from it. */
    private boolean isInterrupted() {
        return thread.isInterrupted() || interrupted; // in this order: it is noted before it is cleared
    }

    // ---------------------------------------------------------------- for the thread itself

    /** Stands still until {@link #call}. An interrupt that comes meanwhile is set then. */
    void standStill() {
        interrupted = Thread.interrupted();
        while (!called) {
            LockSupport.parkNanos(this, task == null ? TICK_NANOS : FOREVER);
            if (thread.isInterrupted()) {
                interrupted = true;
                boolean unused = Thread.interrupted();
                if (task == null) {
                    schedule.interruptRunning();
                }
            } else if (task == null && !called) {
                schedule.look();
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
    }

    /** Throws what the wait is to end with, if anything. */
    void requireSuccess() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
        Throwable passed = thrown;
        if (passed instanceof Error e) {
            throw e;
        }
        if (passed instanceof RuntimeException e) {
            throw e;
        }
    }
}
