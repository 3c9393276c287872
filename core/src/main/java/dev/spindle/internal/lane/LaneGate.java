// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.Interrupts;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Refusal;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.limit.CountedPermits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The key of a lane, the permits of its bound, and the state that holds back its tasks (pauses, an open async task) or
 * ends the lane (retirement, shutdown).
 */
public abstract sealed class LaneGate extends ReadyEntry implements LaneName permits LaneCore {
    /*
     * The word `gate` consists of bits and a count of pauses. Any thread may change the word, by a CAS. Reads are
     * volatile.
     *
     * LaneGate-1  While a hold (a pause, or an open async task) lasts, no task starts, except a task that the owner was
     *     about to start when the hold began. An owner that reads a hold sets PARKED by a CAS from the value that it
     *     has read, and leaves.
     * LaneGate-2  The thread that ends the last hold clears PARKED in the same CAS and then makes the lane ready, so a
     *             parked lane is made ready once. If the last hold ends before the owner has set PARKED, the owner
     *             keeps the lane.
     * LaneGate-3  SEALED is set only while there is no hold, and prevents holds. A pause that finds SEALED looks the
     *     key up again.
     * LaneGate-4  CLOSING ends all pauses and prevents new pauses. While CLOSING is set, a thread that makes the lane
     *     idle, or ends the last hold of an idle lane, retires the lane.
     * LaneGate-5  INTERRUPTING is set while one thread reads the worker of the turn and interrupts its thread. A turn
     *     that ends clears its worker, performs a read-modify-write or publishes the lane in a run queue
     *     (RunQueue-5), and then reads the bit. So the interrupter sees the worker cleared, or the turn sees the bit,
     *     waits until the bit is clear, and clears the interrupt.
     * LaneGate-6  At the start of a turn, the owner publishes its worker and then reads the gate; later it reads the
     *     gate only after a call of its worker. A thread that adds a hold changes the gate and then calls the worker
     *     that it sees. So the owner sees the hold, or that thread sees the worker.
     *
     * LaneGate-7  KEPT is set only while ASYNC and PARKED are: the lane keeps a permit of its space (TurnLimit) for the
     *     open async task. The owner that parks sets KEPT, and passes its permit on; the thread that clears ASYNC
     * clears
     *     KEPT in the same CAS, and gives the permit back. A thread that gives the first permit to a turn does so while
     *     INTERRUPTING is set, like an interrupt (LaneGate-5).
     *
     * Tests: LaneCoreTest; jcstress PauseAgainstTurn, PauseAgainstBatch, ParkAgainstRelease (LaneGate-7).
     */
    private static final int PARKED = 1 << 0; // the owner has left; the end of the last hold makes the lane ready
    private static final int ASYNC = 1 << 1; // an async task is open
    private static final int SEALED = 1 << 2; // the lane is being retired, or is dead
    private static final int CLOSING = 1 << 3; // the lane is retired as soon as it is idle
    private static final int INTERRUPTING = 1 << 4; // a thread is about to interrupt the thread that runs the turn
    private static final int KEPT = 1 << 5; // a permit of the space is kept for the open async task
    private static final int ONE_PAUSE = 1 << 6;
    private static final int MOST_PAUSES = -ONE_PAUSE & Integer.MAX_VALUE;
    private static final int HELD = -ONE_PAUSE | ASYNC;

    private static final VarHandle GATE;
    private static final VarHandle WORKER;

    static {
        try {
            GATE = MethodHandles.lookup().findVarHandle(LaneGate.class, "gate", int.class);
            WORKER = MethodHandles.lookup().findVarHandle(LaneGate.class, "worker", WorkerContext.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** An open async task that holds its lane. */
    public interface OpenTask {
        /** Cancels this task. Called by a {@code shutdownNow}. */
        void halt();

        /** Returns whether the calling thread completes this task now: the lane is held until its callbacks return. */
        boolean isEndedByCaller();

        /** Returns the lane or the thread that this task waits for, or null if that is not known. */
        @Nullable
        Object awaited();

        /** Returns the time limit of this task in nanoseconds, or 0 for no limit. */
        long limitNanos();
    }

    private final Object key;
    private volatile @Nullable CountedPermits places; // changes only from null to the permits, under this monitor
    private volatile int gate;

    @SuppressWarnings("UnusedVariable") // read through WORKER
    private @Nullable WorkerContext worker; // of the running turn; written by the owner, plain; read volatile

    private @Nullable OpenTask open; // the open async task, published by the CAS of the gate
    int stamp; // of an idle lane, the table's epoch at its last use; during an async hold, the start of the hold

    LaneGate(Object key) {
        this.key = key;
    }

    @Override
    public final Object key() {
        return key;
    }

    @Override
    public final LaneName lane() {
        return this;
    }

    /**
     * Sets the worker of the running turn, or null at its end. Called by the owner, which then performs a full fence
     * or a read-modify-write before it reads the gate (LaneGate-5, LaneGate-6).
     */
    final void setWorker(@Nullable WorkerContext r) {
        worker = r;
    }

    /** Returns the worker of the running turn, or null. */
    public final @Nullable WorkerContext worker() {
        return (WorkerContext) WORKER.getVolatile(this);
    }

    /** Returns the thread that runs a turn, or null. */
    public final @Nullable Thread thread() {
        WorkerContext r = worker();
        return r == null ? null : r.thread();
    }

    /** Interrupts the running turn of this lane, if there is one. The interrupt reaches no other turn. */
    public final void interruptTurn() {
        keepTurn();
        Thread thread = thread();
        Throwable failure = thread == null ? null : Interrupts.send(thread);
        clear(INTERRUPTING);
        Interrupts.report(failure);
    }

    /** Keeps a turn whose worker the caller sees from ending, until INTERRUPTING is cleared. */
    private void keepTurn() {
        for (int g = gate; (g & INTERRUPTING) != 0 || !GATE.compareAndSet(this, g, g | INTERRUPTING); g = gate) {
            Thread.onSpinWait();
        }
    }

    /**
     * Gives a permit of {@code limit}, even if none is free, to the running turn or to the open async task of this
     * lane, if there is one and it has none.
     */
    final void adopt(TurnLimit limit) {
        keepTurn();
        try {
            WorkerContext r = worker();
            if (r != null && r.permit() == null) { // LaneGate-7
                r.setPermit(limit.force(this));
            }
        } finally {
            clear(INTERRUPTING);
        }
        for (int g = gate; (g & (ASYNC | PARKED | KEPT)) == (ASYNC | PARKED); g = gate) {
            limit.takeAnyway();
            if (GATE.compareAndSet(this, g, g | KEPT)) {
                return;
            }
            limit.giveBack();
        }
    }

    /** Makes the running turn, if there is one, read the gate before its next task. */
    private void callWorker() {
        WorkerContext r = worker();
        if (r != null) {
            r.call();
        }
    }

    /** Returns the permits of the lane, or null if the lane has had no bound of its own. */
    public final @Nullable CountedPermits places() {
        return places;
    }

    /**
     * Changes the number of permits to {@code most}, and returns the permits. Tasks that were accepted without this
     * bound hold no permit.
     */
    public final CountedPermits places(int most) {
        CountedPermits known = places;
        if (known == null) {
            synchronized (this) { // not by a VarHandle, which would load CountedPermits with this class
                known = places == null ? new CountedPermits(most) : places;
                places = known;
            }
        }
        known.setMost(most); // F4
        return known;
    }

    /** Passes the lane, which the calling thread owns, to the scheduler. */
    abstract void makeReady();

    /** Makes the lane ready for tasks that were accepted before, whose submitters no longer wait for a rejection. */
    final void makeReadyAgain() {
        try {
            makeReady();
        } catch (RejectedExecutionException e) { // not Refusal, which the verifier would load
            if (!(e instanceof Refusal refusal)) {
                throw e;
            }
            refusal.report(); // the tasks have ended
        }
    }

    /** Gives back the permit that the gate has kept for the open async task (LaneGate-7). */
    abstract void giveBackTurn();

    /**
     * Retires the lane if it is idle, neither held nor being interrupted, and has no coalescing slot in use. Returns
     * true if the lane is dead.
     */
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

    /**
     * Makes a parked lane ready if only pauses hold it. The turn then runs the barriers, which a pause does not hold
     * back.
     */
    public final void nudge() {
        for (int g = gate; g >= ONE_PAUSE && (g & PARKED) != 0 && (g & ASYNC) == 0; g = gate) {
            if (GATE.compareAndSet(this, g, g & ~PARKED)) {
                makeReadyAgain();
                return;
            }
        }
    }

    /**
     * Passes a held lane to the gate (LaneGate-1), with the permit of the turn if an async task is open. Returns false
     * if the lane is not held. Called by the owner of the lane, whose turn {@code r} runs.
     */
    final boolean parkIfHeld(WorkerContext r) {
        for (int g = gate; (g & HELD) != 0; g = gate) { // LaneGate-1
            boolean keeps = (g & ASYNC) != 0 && r.permit() != null;
            if (GATE.compareAndSet(this, g, keeps ? g | PARKED | KEPT : g | PARKED)) {
                if (keeps) { // LaneGate-7, TurnLimit-3
                    r.setPermit(null);
                }
                return true;
            }
        }
        return false;
    }

    /**
     * Prevents the start of further tasks until {@link #resume}; calls are counted.
     *
     * @return false if the lane is being retired or dead
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
     * Ends one {@link #pause}. Does nothing if the lane is closing.
     *
     * @throws IllegalStateException if the lane is neither paused nor closing
     */
    public void resume() {
        for (; ; ) {
            int g = gate;
            if ((g & CLOSING) != 0) {
                return; // the shutdown has ended all pauses
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
     * Holds the lane until {@link #release}. Called in a turn of the lane; the thread does not wait.
     *
     * @param now a recent reading of the clock in nanoseconds
     */
    public final void hold(long now) {
        stamp = millis(now); // plain, since only statistics read it during a hold
        for (int g = gate; !GATE.compareAndSet(this, g, g | ASYNC); g = gate) {
            Thread.onSpinWait();
        }
        callWorker();
    }

    /** Returns an estimate of the duration of the async hold, in nanoseconds. */
    public final long estimatedHoldNanos(long now) {
        return Math.max(0, (millis(now) - stamp) * 1_000_000L);
    }

    static int millis(long nanos) {
        return (int) (nanos / 1_000_000);
    }

    /** Ends {@link #hold}. Called once, by any thread. */
    public final void release() {
        open = null;
        for (int g = gate; !endHold(g, g & ~(ASYNC | KEPT)); g = gate) {
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
        if ((g & ~next & KEPT) != 0) { // LaneGate-7
            giveBackTurn(); // before this lane is ready again, behind the lanes that wait
        }
        if (wake) { // LaneGate-2
            makeReadyAgain();
        } else if (free && (next & CLOSING) != 0) {
            tryRetire();
        }
        return true;
    }

    /**
     * Waits for an interrupt that is being sent to the turn that has ended, and clears the interrupt (LaneGate-5).
     * Called after the turn has cleared its worker.
     */
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

    /** Retires the lane at the end of the next turn that leaves the lane idle. */
    public final void retireWhenIdle() {
        for (int g = gate; !GATE.compareAndSet(this, g, g | CLOSING); g = gate) {
            Thread.onSpinWait();
        }
    }

    /**
     * Prevents holds (LaneGate-3). Returns false if the gate has a pause or a flag other than CLOSING, or changes
     * during the call.
     */
    final boolean seal() {
        int g = gate;
        return (g & ~CLOSING) == 0 && GATE.compareAndSet(this, g, g | SEALED); // LaneGate-3
    }

    final void unseal() {
        clear(SEALED);
    }

    @Override
    public final String toString() {
        String space = spaceName();
        return "lane " + (space == null ? "" : space + "/") + key;
    }
}
