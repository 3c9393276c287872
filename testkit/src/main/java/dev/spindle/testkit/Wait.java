// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import dev.spindle.internal.CancellableEntry;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a task, or of a call by the test, in a simulation. The waiting thread stands still until another thread
 * calls {@link #call}.
 */
final class Wait {
    static final long FOREVER = Long.MAX_VALUE;

    /** The period with which the test's thread checks whether the running task is blocked by a lock. */
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
    private boolean listed; // as a ready entry
    private boolean late;
    private long steps;
    private @Nullable RuntimeException failure;
    private @Nullable Throwable thrown;
    private volatile boolean standing;
    private volatile boolean called;
    private volatile boolean interrupted;

    /**
     * Creates the wait of the calling thread.
     *
     * @param task the thread of a task of this simulation, or null for a call of the test
     * @param nanos the maximum duration, or {@link #FOREVER}
     */
    Wait(Schedule schedule, @Nullable SimulatedThread task, BooleanSupplier done, long now, long nanos) {
        this.schedule = schedule;
        this.task = task;
        this.done = done;
        this.nanos = nanos;
        begin = now;
    }

    /** Sets whether an interrupt ends this wait. Returns this wait. */
    Wait interruptible(boolean ends) {
        interruptible = ends;
        return this;
    }

    /** Makes this wait also end when nothing is ready and {@code over} is true, or at a dead end. Returns this wait. */
    Wait untilIdle(BooleanSupplier over) {
        idle = over;
        leaves = true;
        return this;
    }

    /** Makes this wait continue after its time has passed, until nothing is ready. Returns this wait. */
    Wait patient() {
        patient = true;
        return this;
    }

    /** Declares that foreign threads may end this wait. Returns this wait. */
    Wait outside() {
        outside = true;
        return this;
    }

    // ---------------------------------------------------------------- for the thread that chooses what runs next

    /** Returns the thread of the task, or null for a call of the test. */
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

    /** Returns true if this wait ends at a dead end without an exception. */
    boolean leaves() {
        return leaves;
    }

    /** Returns true if foreign threads may end this wait. */
    boolean isOutside() {
        return outside;
    }

    boolean isLimited() {
        return nanos != FOREVER;
    }

    /** Returns the remaining time. */
    long left(long now) {
        return isLimited() ? Math.max(0, nanos - (now - begin)) : FOREVER;
    }

    boolean isOver() {
        return thrown != null || late || done.getAsBoolean() || (interruptible && isInterrupted());
    }

    /** Returns true if the time has passed, so that this wait becomes a ready entry. */
    boolean isDue(long now) {
        return !patient && left(now) == 0;
    }

    /** Returns true if this wait ends now if nothing is ready. */
    boolean isOverWhenIdle(long now) {
        return left(now) == 0 || idle.getAsBoolean();
    }

    /**
     * Called before the clock advances to {@code until}. A completion after the advance may be too late for this wait.
     */
    void timePasses(long until) {
        late |= !patient && isLimited() && until - begin > nanos && !done.getAsBoolean();
    }

    boolean isLate() {
        return late;
    }

    /** Counts a step that ran during this wait, and returns the number of these steps. */
    long countStep() {
        return ++steps;
    }

    /** Returns the lane or thread that must act to end this wait, or null if it is not known. */
    @Nullable
    Object awaited() {
        return done instanceof CancellableEntry of ? of.party() : null;
    }

    /** Returns true once the thread has passed control. The thread then holds no lock of the simulation. */
    boolean isStanding() {
        return standing;
    }

    /** Makes the wait end with {@code failure}. The caller then calls {@link #call}. */
    void fail(RuntimeException failure) {
        this.failure = failure;
    }

    /** Makes the wait end with {@code thrown}, an exception of the library. */
    void failWith(Throwable thrown) {
        this.thrown = thrown;
    }

    /** Makes the waiting thread continue. */
    void call() {
        called = true;
        LockSupport.unpark(thread);
    }

    /**
     * Returns true if the thread was interrupted. {@link #standStill} records an interrupt in {@code interrupted} and
     * clears the interrupt status.
     */
    private boolean isInterrupted() {
        return thread.isInterrupted() || interrupted; // in this order: standStill() sets the field first
    }

    // ---------------------------------------------------------------- for the thread itself

    /** Stands still until {@link #call}. If the thread was interrupted in this time, its interrupt status is set. */
    void standStill() {
        standing = true;
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

    /** Throws the exception that has ended this wait, if any. */
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
