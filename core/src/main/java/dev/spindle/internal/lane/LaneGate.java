// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.ReadyEntry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The part of a lane that prevents its turns or ends the lane: pauses, an open async task, retirement, shutdown.
 */
public abstract sealed class LaneGate extends ReadyEntry permits LaneCore {
    /*
     * One word of bits and a count of pauses, changed by CAS by any thread, read volatile by the owner (LaneGate-6).
     *
     * LaneGate-1  While a hold (a pause, or an open async task) is in force no task starts, except one that the owner
     *     was about to start when the hold began. An owner that sees a hold sets PARKED by a CAS from the value in
     *     which it saw the hold, and leaves.
     * LaneGate-2  The thread that ends the last hold clears PARKED in the same CAS and then makes the lane ready, so a
     *             parked lane is made ready once. If the last hold ends before the owner has parked the lane, the owner
     *             keeps the lane.
     * LaneGate-3  SEALED excludes holds: it is set only on a gate without holds. A pause that finds SEALED looks the
     *     key up again.
     * LaneGate-4  CLOSING ends all pauses and admits no new ones. A thread that then leaves the lane idle, or ends the
     *     last hold of an idle lane, retires it.
     * LaneGate-5  INTERRUPTING is set while one thread reads the worker of the turn and interrupts its thread. A turn
     *     that ends clears its worker, makes a read-modify-write, and then reads the bit. So the interrupter sees the
     *     worker cleared, or the turn sees the bit, waits until it is clear, and drops the interrupt.
     * LaneGate-6  The owner publishes its worker and then reads the gate at the start of its turn, and later only when
     *     its worker is called. A thread that adds a hold changes the gate and then calls the worker that it sees. So
     *     the owner sees the hold, or that thread sees the worker.
     *
     * Tests: LaneCoreTest; jcstress PauseAgainstTurn, PauseAgainstBatch.
     */
    private static final int PARKED = 1; // the owner has left; the end of the last hold makes the lane ready
    private static final int ASYNC = 2; // an async task is open
    private static final int SEALED = 4; // being retired, or dead
    private static final int CLOSING = 8; // to be retired as soon as it is idle
    private static final int INTERRUPTING = 16; // a thread is about to interrupt the thread that runs the turn
    private static final int ONE_PAUSE = 32;
    private static final int MOST_PAUSES = -ONE_PAUSE & Integer.MAX_VALUE;
    private static final int HELD = -ONE_PAUSE | ASYNC;

    private static final VarHandle GATE;

    static {
        try {
            GATE = MethodHandles.lookup().findVarHandle(LaneGate.class, "gate", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** An open async task that holds its lane. */
    public interface OpenTask {
        /** Cancels this task, for a {@code shutdownNow}. */
        void halt();

        /** Returns the lane or the thread that this task waits for, or null if that is not known. */
        @Nullable
        Object awaited();

        /** Returns true if this task has a time limit. */
        boolean isLimited();
    }

    private volatile int gate;
    private @Nullable OpenTask open; // the task of an async hold; written before the gate, and read after it
    int stamp; // if the lane is idle, the table's epoch at its last use; during an async hold, its start

    /** Passes the lane, which the calling thread owns, to the scheduler. */
    abstract void makeReady();

    /** Makes the running turn, if there is one, read the gate before its next task. */
    abstract void callWorker();

    /** Removes the lane from its table if it is idle and not held. */
    abstract boolean tryRetire();

    final boolean isClear() {
        return gate == 0;
    }

    final boolean isHeld() {
        return (gate & HELD) != 0;
    }

    final boolean isSealed() {
        return (gate & SEALED) != 0;
    }

    final boolean isClosing() {
        return (gate & CLOSING) != 0;
    }

    /** Returns whether the lane is paused. */
    public final boolean isPaused() {
        return gate >= ONE_PAUSE;
    }

    /** Returns whether an async task is open. */
    public final boolean isAsyncOpen() {
        return (gate & ASYNC) != 0;
    }

    /** Gives a paused, parked lane a turn, so that it runs the barriers, which a pause does not hold back. */
    public final void nudge() {
        for (int g = gate; g >= ONE_PAUSE && (g & PARKED) != 0 && (g & ASYNC) == 0; g = gate) {
            if (GATE.compareAndSet(this, g, g & ~PARKED)) {
                makeReady();
                return;
            }
        }
    }

    /** Leaves a held lane to the gate (LaneGate-1); false if the lane is not held. For the owner. */
    final boolean parkIfHeld() {
        for (int g = gate; (g & HELD) != 0; g = gate) { // LaneGate-1
            if (GATE.compareAndSet(this, g, g | PARKED)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Prevents the start of further tasks until {@link #resume}; calls are counted.
     *
     * @return false if the lane is being retired
     * @throws IllegalStateException if the lane is closed, or the count of pauses is at its maximum
     */
    public final boolean pause() {
        for (; ; ) {
            int g = gate;
            if ((g & CLOSING) != 0) {
                tryRetire(); // the lane may have been made for this call, and no other thread would retire it
                throw new IllegalStateException(
                        this + " is shut down and cannot be paused: all it accepted has to run");
            }
            if ((g & SEALED) != 0) {
                return false;
            }
            if (g >= MOST_PAUSES) { // K8
                throw new IllegalStateException(this + " cannot be paused more than " + MOST_PAUSES / ONE_PAUSE
                        + " times at once: each pause needs a resume after it");
            }
            if (GATE.compareAndSet(this, g, g + ONE_PAUSE)) { // LaneGate-6
                callWorker();
                return true;
            }
        }
    }

    /**
     * Ends one {@link #pause}.
     *
     * @throws IllegalStateException if the lane is not paused
     */
    public void resume() {
        for (; ; ) {
            int g = gate;
            if ((g & CLOSING) != 0) {
                return; // closing has ended all pauses
            }
            if (g < ONE_PAUSE) {
                throw new IllegalStateException(this + " is not paused: each resume needs a pause before it");
            }
            if (endHold(g, g - ONE_PAUSE)) {
                return;
            }
        }
    }

    /** Sets the task that is about to {@link #hold} the lane. */
    public final void opens(OpenTask task) {
        open = task;
    }

    /** Returns the open async task, or null. Racy. */
    public final @Nullable OpenTask openTask() {
        return isAsyncOpen() ? open : null;
    }

    /**
     * Holds the lane until {@link #release}. Called by a turn of the lane, whose thread does not wait.
     *
     * @param now a recent reading of the clock
     */
    public final void hold(long now) {
        stamp = millis(now); // plain, racy, for statistics; the sweep looks at idle lanes only
        for (int g = gate; !GATE.compareAndSet(this, g, g | ASYNC); g = gate) {
            Thread.onSpinWait();
        }
        callWorker();
    }

    /** Returns an estimate of how long the open async task has held the lane, in nanoseconds. */
    public final long estimatedHoldNanos(long now) {
        return Math.max(0, (millis(now) - stamp) * 1_000_000L);
    }

    private static int millis(long nanos) {
        return (int) (nanos / 1_000_000);
    }

    /** Ends {@link #hold}. Called once, by any thread. */
    public final void release() {
        open = null;
        for (int g = gate; !endHold(g, g & ~ASYNC); g = gate) {
            Thread.onSpinWait();
        }
        nudge(); // if pauses still hold the lane, a barrier may be next
    }

    private boolean endHold(int g, int next) {
        boolean free = (next & HELD) == 0;
        boolean wake = free && (next & PARKED) != 0;
        if (!GATE.compareAndSet(this, g, wake ? next & ~PARKED : next)) {
            return false;
        }
        if (wake) { // LaneGate-2
            makeReady();
        } else if (free && (next & CLOSING) != 0) {
            tryRetire();
        }
        return true;
    }

    /** Called after a turn has published its end: keeps an interrupt meant for that turn from later code. */
    final void awaitInterrupter() {
        if ((gate & INTERRUPTING) != 0) {
            while ((gate & INTERRUPTING) != 0) { // LaneGate-5
                Thread.yield();
            }
            Thread.interrupted();
        }
    }

    private void clear(int bit) {
        for (int g = gate; !GATE.compareAndSet(this, g, g & ~bit); g = gate) {
            Thread.onSpinWait();
        }
    }

    /** Ends all pauses, and retires the lane as soon as it is idle, which may be at once. */
    public final void close() {
        for (int g = gate; !endHold(g, (g & (ONE_PAUSE - 1)) | CLOSING); g = gate) { // LaneGate-4
            Thread.onSpinWait();
        }
    }

    /** Retires the lane at the end of its next turn that leaves it idle. */
    public final void retireWhenIdle() {
        for (int g = gate; !GATE.compareAndSet(this, g, g | CLOSING); g = gate) {
            Thread.onSpinWait();
        }
    }

    final void beginInterrupt() {
        for (int g = gate; (g & INTERRUPTING) != 0 || !GATE.compareAndSet(this, g, g | INTERRUPTING); g = gate) {
            Thread.onSpinWait();
        }
    }

    final void endInterrupt() {
        clear(INTERRUPTING);
    }

    /** Excludes holds (LaneGate-3); false if the lane is held. For the owner of an idle lane. */
    final boolean seal() {
        int g = gate;
        return (g & ~CLOSING) == 0 && GATE.compareAndSet(this, g, g | SEALED); // LaneGate-3
    }

    final void unseal() {
        clear(SEALED);
    }
}
