// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.ReadyEntry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The conditions that keep a lane from running or from living on: pauses, an open async task, retirement, shutdown. */
public abstract sealed class LaneGate extends ReadyEntry permits LaneCore {
    /*
     * One word of bits and a count of pauses, changed by CAS by anybody, read volatile by the owner (LaneGate-6).
     *
     * LaneGate-1  While a hold is in force (a pause, or an open async task) no task starts, but the one that the owner
     *     was about to start when the hold came. An owner that sees a hold sets PARKED by a CAS of the very value that
     *     showed the hold, and leaves.
     * LaneGate-2  Whoever ends the last hold clears PARKED in the same CAS and makes the lane ready. So a parked lane
     *     is made ready exactly once, and a hold that ends before the owner has parked leaves the lane with its owner.
     * LaneGate-3  SEALED excludes holds: it is set only on a gate without any, and a pause that meets it looks the key
     *     up again.
     * LaneGate-4  CLOSING ends all pauses and admits no new ones. Whoever then leaves the lane idle, or ends the last
     *     hold of an idle lane, retires it.
     * LaneGate-5  INTERRUPTING is set while one thread reads who runs the turn and interrupts that thread. A turn that
     *     has published its end (its worker cleared, then a read-modify-write) looks at the bit, waits until it is
     *     clear, and drops the interrupt. Either the interrupter sees the worker cleared, or the turn sees the bit.
     *
     * LaneGate-6  The owner looks at the gate when its turn begins, after it has published its worker, and then only
     *     when its worker is called. Whoever adds a hold changes the gate and then calls the worker that it sees.
     *     Either it sees the worker of the turn, or the turn sees the hold.
     *
     * Tests: LaneCoreTest; jcstress PauseAgainstTurn, PauseAgainstBatch.
     */
    private static final int PARKED = 1; // the owner has left; the end of the last hold makes the lane ready
    private static final int ASYNC = 2; // an async task is open
    private static final int SEALED = 4; // being retired, or dead
    private static final int CLOSING = 8; // retire as soon as it is idle
    private static final int INTERRUPTING = 16; // somebody is about to interrupt the thread that runs the turn
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

    /** An open async task, as its lane sees it. */
    public interface OpenTask {
        /** Cancels it, for a {@code shutdownNow}. */
        void halt();

        /** Returns the lane or the thread that it waits for, if that is known. */
        @Nullable
        Object awaited();

        /** Returns whether it has a time limit. */
        boolean isLimited();
    }

    private volatile int gate;
    private @Nullable OpenTask open; // of an async hold; written before the gate, and read after it
    int stamp; // of an idle lane: the table's epoch when it was last used; of an async hold: when that began

    /** Gives a lane that this thread owns to the scheduler. */
    abstract void makeReady();

    /** Makes the turn that runs, if there is one, look at the gate before its next task. */
    abstract void callWorker();

    /** Removes the lane if it is idle and free. */
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

    /** Gives a lane that pauses keep a turn, in which it can do what pauses allow. */
    public final void nudge() {
        for (int g = gate; g >= ONE_PAUSE && (g & PARKED) != 0 && (g & ASYNC) == 0; g = gate) {
            if (GATE.compareAndSet(this, g, g & ~PARKED)) {
                makeReady();
                return;
            }
        }
    }

    /** Leaves a held lane to the gate (LaneGate-1); false when it is not, or no longer, held. For the owner. */
    final boolean parkIfHeld() {
        for (int g = gate; (g & HELD) != 0; g = gate) {
            if (GATE.compareAndSet(this, g, g | PARKED)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets no further task start until {@link #resume}; counted. False when the lane is being retired.
     *
     * @throws IllegalStateException if the lane is closed, or paused as often as can be counted
     */
    public final boolean pause() {
        for (; ; ) {
            int g = gate;
            if ((g & CLOSING) != 0) {
                tryRetire(); // it may have been made for this call, with nobody else to end it
                throw new IllegalStateException(
                        this + " is shut down and cannot be paused: all it accepted has to run");
            }
            if ((g & SEALED) != 0) {
                return false;
            }
            if (g >= MOST_PAUSES) {
                throw new IllegalStateException(this + " cannot be paused more than " + MOST_PAUSES / ONE_PAUSE
                        + " times at once: each pause needs a resume after it");
            }
            if (GATE.compareAndSet(this, g, g + ONE_PAUSE)) {
                callWorker();
                return true;
            }
        }
    }

    /**
     * Takes back one {@link #pause}.
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

    /** Says what is about to {@link #hold} the lane. */
    public final void opens(OpenTask task) {
        open = task;
    }

    /** Returns the async task that is open, or null; racy. */
    public final @Nullable OpenTask openTask() {
        return isAsyncOpen() ? open : null;
    }

    /**
     * Keeps the lane, without a thread, from the turn that calls this to {@link #release}.
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

    /** Returns about how long an open async task has held the lane, in nanoseconds. */
    public final long estimatedHoldNanos(long now) {
        return Math.max(0, (millis(now) - stamp) * 1_000_000L);
    }

    private static int millis(long nanos) {
        return (int) (nanos / 1_000_000);
    }

    /** Ends {@link #hold}, from any thread, once. */
    public final void release() {
        open = null;
        for (int g = gate; !endHold(g, g & ~ASYNC); g = gate) {
            Thread.onSpinWait();
        }
        nudge(); // a lane that pauses still keep has come to its next barrier
    }

    private boolean endHold(int g, int next) {
        boolean free = (next & HELD) == 0;
        boolean wake = free && (next & PARKED) != 0;
        if (!GATE.compareAndSet(this, g, wake ? next & ~PARKED : next)) {
            return false;
        }
        if (wake) {
            makeReady();
        } else if (free && (next & CLOSING) != 0) {
            tryRetire();
        }
        return true;
    }

    /** Called when a turn has published that it ended: an interrupt that was meant for it must not hit what follows. */
    final void awaitInterrupter() {
        if ((gate & INTERRUPTING) != 0) {
            while ((gate & INTERRUPTING) != 0) {
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

    /** Ends all pauses, and has the lane retired as soon as it is idle; at once if it is so now. */
    public final void close() {
        for (int g = gate; !endHold(g, (g & (ONE_PAUSE - 1)) | CLOSING); g = gate) {
            Thread.onSpinWait();
        }
    }

    /** Has the lane retired at the end of a turn to come. */
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

    /** Keeps holds away (LaneGate-3); false when there is one. For the owner of an idle lane. */
    final boolean seal() {
        int g = gate;
        return (g & ~CLOSING) == 0 && GATE.compareAndSet(this, g, g | SEALED);
    }

    final void unseal() {
        clear(SEALED);
    }
}
