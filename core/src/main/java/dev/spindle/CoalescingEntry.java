// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CoalescingSlot;
import dev.spindle.internal.lane.CoalescingSubmission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One submission of a coalescing task, and its handle. */
final class CoalescingEntry extends CoalescingSubmission implements Coalesced {
    /*
     * `state` is written by the one thread that took the entry out of its cell (CoalescingSlot-3), `outcome` is set
     * once by CAS by whoever asks for it. Superseding is the hot path and has no fence of its own: the CAS of the cell
     * orders the superseder's read of `outcome`. So outcome(), having set the field, looks at the cell: while the cell
     * still has the entry, whoever takes it out later will see `outcome`; if not, the final or running state is there
     * or about to be.
     *
     * An entry that has come to its end keeps nothing of the user's, nor its cell, by which the executor could be
     * reached (U3). Whoever finds no cell finds a final state. Only one that failed keeps the user's task until its
     * failure was reported.
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
            CELL = lookup.findVarHandle(CoalescingEntry.class, "cell", CoalescingSlot.class);
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
    private @Nullable CoalescingSlot cell;

    /**
     * Creates a submission.
     *
     * @param user what the user handed in
     * @param task what is run: {@code user}, or {@code user} with its context
     */
    CoalescingEntry(Runnable user, Runnable task) {
        this.user = user;
        this.task = task;
    }

    @Override
    protected void offeredTo(CoalescingSlot accepting) {
        cell = accepting; // published by the cell
    }

    @Override
    public void run() {
        Runnable running = task;
        if (running == null) {
            return; // somebody has kept it, and it has ended before
        }
        become(State.RUNNING);
        boolean done = false;
        try {
            running.run();
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
        if (next == State.DONE || next == State.FAILED) {
            VarHandle.fullFence(); // partner: outcome(), which sets the field and then reads the state
        }
        CompletableFuture<State> waiting = outcome;
        if (waiting != null && next != State.RUNNING) {
            if (next == State.DONE || next == State.FAILED) {
                WorkerContext.clearInterruptOfWorker(); // callbacks of the outcome come next
            }
            waiting.complete(next);
        }
        if (next != State.RUNNING) {
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
        CoalescingSlot holder = cell();
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
        CoalescingSlot holder = cell();
        if (holder == null || !holder.holds(this)) {
            State now = state();
            while (now == State.PENDING && holder != null) { // taken out of the cell: the state is about to follow
                Thread.yield();
                now = state();
            }
            if (now != State.RUNNING && now != State.PENDING) {
                future.complete(now);
            }
        }
        return future;
    }

    private @Nullable CoalescingSlot cell() {
        return (CoalescingSlot) CELL.getAcquire(this);
    }
}
