// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Coalesced;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CoalescingSubmission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One submission of a coalescing task, and its handle. */
final class CoalescingEntry extends CoalescingSubmission implements Coalesced {
    /*
     * `state` is written by the one thread that took the entry out of its cell (CoalescingSlot-3). `outcome` is set
     * once by CAS, by the first caller of outcome(). Superseding is the hot path and has no fence: the CAS of the cell
     * orders the superseding thread's read of `outcome`. So outcome() sets the field and then reads the cell. If the
     * cell still holds the entry, the thread that takes the entry out later sees `outcome`. If not, that thread has set
     * the running or final state, or is about to.
     *
     * A final entry keeps neither the user's objects nor its cell, through which the executor is reachable (U3). A
     * thread that finds no cell finds a final state. Only a failed entry keeps the user's task until its failure is
     * reported.
     *
     * Tests: CoalescingContractTest, RetentionContractTest; jcstress RunThenState, AskAgainstRun, AskAgainstSupersede.
     */
    private static final VarHandle STATE;
    private static final VarHandle OUTCOME;
    private static final VarHandle CELL;

    static {
        try {
            var lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(CoalescingEntry.class, "state", State.class);
            OUTCOME = lookup.findVarHandle(CoalescingEntry.class, "outcome", CompletableFuture.class);
            CELL = lookup.findVarHandle(CoalescingEntry.class, "cell", Cell.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable Runnable task;
    private @Nullable Runnable user;

    @SuppressWarnings("UnusedVariable") // read through STATE
    private State state = State.PENDING;

    private volatile @Nullable CompletableFuture<State> outcome;

    @SuppressWarnings("UnusedVariable") // read through CELL
    private @Nullable Cell cell;

    /**
     * Creates a submission.
     *
     * @param user the task as it was submitted
     * @param task the task to run: {@code user}, or {@code user} with its context
     */
    CoalescingEntry(Runnable user, Runnable task) {
        this.user = user;
        this.task = task;
    }

    @Override
    protected void offeredTo(Cell accepting) {
        cell = accepting; // published by the write to the cell
    }

    @Override
    public void run() {
        Runnable running = task;
        if (running == null) {
            return; // run() was called again after the end of this entry
        }
        become(State.RUNNING);
        boolean done = false;
        try {
            running.run(); // K4
            done = true;
        } finally {
            become(done ? State.DONE : State.FAILED);
        }
    }

    @Override
    protected void superseded() {
        become(State.SUPERSEDED);
    }

    @Override
    public void withdrawn() {
        become(State.CANCELLED);
    }

    @Override
    public Runnable userTask() {
        Runnable own = user;
        return own == null ? this : own;
    }

    @Override
    public void reported() {
        user = null;
    }

    private void become(State next) {
        STATE.setRelease(this, next);
        if (next == State.DONE || next == State.FAILED) { // CoalescingSlot-3
            VarHandle.fullFence(); // partner: outcome(), which sets the field, then reads the state
        }
        CompletableFuture<State> waiting = outcome;
        if (waiting != null && next != State.RUNNING) {
            if (next == State.DONE || next == State.FAILED) {
                WorkerContext.clearInterruptOfWorker(); // callbacks of the outcome run next
            }
            waiting.complete(next);
        }
        if (next != State.RUNNING) {
            // U3
            CELL.setRelease(this, null); // after the state
            task = null;
            user = next == State.FAILED ? user : null;
        }
    }

    @Override
    public State state() {
        return (State) STATE.getAcquire(this);
    }

    @Override
    public boolean cancel() {
        Cell holder = cell();
        if (holder == null || !holder.withdraw(this)) {
            return false;
        }
        withdrawn();
        return true;
    }

    @Override
    public CompletableFuture<State> outcome() {
        CompletableFuture<State> future = outcome;
        if (future == null) {
            future = new CompletableFuture<>();
            if (!OUTCOME.compareAndSet(this, null, future)) {
                return outcome();
            }
        }
        Cell holder = cell();
        if (holder == null || !holder.holds(this)) { // L1
            State now = state();
            // CoalescingSlot-3
            while (now == State.PENDING && holder != null) { // taken out of the cell: the state is about to be set
                Thread.yield();
                now = state();
            }
            if (now != State.RUNNING && now != State.PENDING) {
                future.complete(now);
            }
        }
        return future;
    }

    private @Nullable Cell cell() {
        return (Cell) CELL.getAcquire(this);
    }
}
