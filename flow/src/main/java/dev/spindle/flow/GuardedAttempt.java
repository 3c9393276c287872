// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** One attempt, with all that it holds: a place in the queue of a bulkhead or a permit, a pass, a timer, a stage. */
final class GuardedAttempt<Q extends @Nullable Object, A extends @Nullable Object> extends Bulkhead.Waiter
        implements Attempt {
    /*
     * The monitor guards what the attempt holds. Nothing foreign runs under it.
     *
     * GuardedAttempt-1  The attempt ends once, by the first call of end(). That call takes everything that is held and
     *                   gives it back, outside the monitor.
     * GuardedAttempt-2  Whoever gets something for the attempt puts it here by a hold(), which fails after the end:
     *                   then they give it back themselves. So each thing is given back once, by one or by the other.
     * GuardedAttempt-3  After the end neither the attempt, which the user may keep, nor the listener, which stays at a
     *                   stage that never completes, refers to the call.
     *
     * Whoever runs out of memory or stack between getting something and its hold() loses it; these two are adjacent.
     */
    /** How an attempt ends. */
    enum End {
        /** By itself: it was answered, failed, or was not made at all. */
        ANSWERED,
        /** Its time was up. */
        EXPIRED,
        /** Another attempt was faster: it counts neither way, but shows how long calls take. */
        LOST,
        /** The caller needs nothing any more: it counts neither way. */
        DROPPED
    }

    private final int number;
    private final Deadline deadline;
    private final Endpoint<Q, A> endpoint;

    private boolean ended;
    private boolean dropped;
    private @Nullable Execution<Q, A> execution;
    private @Nullable Q request;
    private @Nullable Permit permit;
    private Breaker.@Nullable Pass pass;
    private @Nullable TimeLimit timer;
    private @Nullable CompletionStage<? extends A> stage;
    private @Nullable AnswerListener<Q, A> listener;
    private @Nullable List<Runnable> onCancel;
    private boolean called;
    private long calledAt;

    GuardedAttempt(Execution<Q, A> execution, Q request, int number, Deadline deadline) {
        this.execution = execution;
        this.request = request;
        this.number = number;
        this.deadline = deadline;
        endpoint = execution.endpoint;
    }

    // ---------------------------------------------------------------- the user's side

    @Override
    public int number() {
        return number;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public boolean commit() {
        Execution<Q, A> of = execution();
        return of != null && of.commit(this);
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!ended) {
                if (onCancel == null) {
                    onCancel = new ArrayList<>(1);
                }
                onCancel.add(action);
                return;
            }
            if (!dropped) {
                return;
            }
        }
        Reports.guarded(action);
    }

    // ---------------------------------------------------------------- begin

    /** Begins without a permit: gets one, or waits for it, if the endpoint has a bulkhead. */
    void launch() {
        Bulkhead bulkhead = endpoint.options.bulkhead;
        if (bulkhead == null) {
            start();
        } else {
            Permit got;
            try {
                got = bulkhead.acquire(this);
            } catch (Throwable t) { // the limiter's
                end(End.ANSWERED, new Outcome.Failed<>(t), Execution.Verdict.FINAL);
                return;
            }
            if (got == null) {
                end(End.ANSWERED, endpoint.rejectedBy(bulkhead + " is full"), Execution.Verdict.OTHER);
            } else if (got == bulkhead.queued) {
                if (isEnded()) {
                    bulkhead.withdraw(this);
                }
            } else {
                launch(got);
            }
        }
        limit();
    }

    /** Begins with a permit, or without need of one. */
    void launch(@Nullable Permit got) {
        if (got == null || hold(got)) {
            start();
            limit();
        } else {
            got.ignore();
        }
    }

    /** Sets the timer, unless there is one, or somebody else's will do, or the attempt has ended. */
    private void limit() {
        Execution<Q, A> of;
        synchronized (this) {
            of = execution;
            if (of == null || timer != null) {
                return;
            }
        }
        if (of.isWatched(deadline)) {
            if (of.isOverdue()) {
                passLimit();
            }
            return;
        }
        TimeLimit set;
        try {
            set = endpoint.timer(deadline.remainingNanos(), this::passLimit);
        } catch (RejectedExecutionException e) {
            lose();
            return;
        }
        synchronized (this) {
            if (!ended) {
                timer = set;
                return;
            }
        }
        set.cancel();
    }

    private synchronized boolean hold(Permit got) {
        if (ended) {
            return false;
        }
        permit = got;
        return true;
    }

    /** A worker starts what waited, for whoever gives a permit back has other things to do. */
    @Override
    boolean granted(Permit got) {
        if (!hold(got)) {
            return false;
        }
        try {
            TimeLimit unused = endpoint.timer(0, this::startGranted);
            return true;
        } catch (RejectedExecutionException e) {
            return !unhold();
        }
    }

    private void startGranted() {
        if (endpoint.isShutdown()) {
            refused();
        } else {
            start();
        }
    }

    private synchronized boolean unhold() {
        boolean held = permit != null;
        permit = null;
        return held;
    }

    @Override
    void refused() {
        end(End.ANSWERED, endpoint.rejectedBy("the spindle was shut down"), Execution.Verdict.OTHER);
    }

    /** Makes the call. */
    @SuppressWarnings("NullAway") // the request is there until the end, and null where Q may be
    private void start() {
        if (!pass()) {
            return;
        }
        if (deadline.isUsedUp()) {
            expire();
            return;
        }
        AnswerListener<Q, A> ear = new AnswerListener<>(this, endpoint);
        Q asked;
        synchronized (this) {
            if (ended) {
                return;
            }
            asked = request;
            called = true;
            calledAt = endpoint.nanoTime();
            listener = ear;
        }
        CompletionStage<? extends A> got;
        try {
            got = endpoint.options.call.call(asked, this);
            if (got == null) {
                throw new NullPointerException(endpoint + " returned null instead of a stage");
            }
        } catch (Throwable t) {
            answered(null, t);
            return;
        }
        boolean wanted;
        synchronized (this) {
            wanted = !ended;
            if (wanted) {
                stage = got;
            }
        }
        if (!wanted) {
            GiveBack.cancel(got);
        }
        try {
            got.whenComplete(ear);
        } catch (Throwable t) { // a stage of the user's own kind
            answered(null, t);
        }
    }

    /** Asks the breaker; false if the attempt has ended. */
    private boolean pass() {
        Breaker breaker = endpoint.options.breaker;
        if (breaker == null || isEnded()) {
            return breaker == null;
        }
        Breaker.Pass got;
        try {
            got = breaker.tryPass();
        } catch (Throwable t) {
            end(End.ANSWERED, new Outcome.Failed<>(t), Execution.Verdict.FINAL);
            return false;
        }
        if (got == null) {
            end(End.ANSWERED, endpoint.rejectedBy("the breaker is open"), Execution.Verdict.OTHER);
            return false;
        }
        synchronized (this) {
            if (!ended) {
                pass = got;
                return true;
            }
        }
        Reports.guarded(got::release);
        return false;
    }

    // ---------------------------------------------------------------- end

    /** Takes the answer; false if nobody needs it. */
    boolean answered(@Nullable A value, @Nullable Throwable thrown) {
        Outcome<A> outcome = Outcomes.of(value, thrown);
        Execution.Verdict verdict;
        try {
            verdict = endpoint.verdict(outcome);
        } catch (Throwable t) { // the user's predicate; what it was asked about is lost with it
            boolean unused = end(End.ANSWERED, new Outcome.Failed<>(t), Execution.Verdict.FINAL);
            return false;
        }
        return end(End.ANSWERED, outcome, verdict);
    }

    /** The time of this attempt is up. */
    void passLimit() {
        if (endpoint.isShutdown() && !deadline.isUsedUp()) {
            lose();
        } else {
            expire();
        }
    }

    private void expire() {
        boolean wasCalled;
        synchronized (this) {
            wasCalled = called;
        }
        Outcome<A> outcome = new Outcome.TimedOut<>(
                endpoint + (wasCalled ? " was not answered in time" : " was not called in time"));
        Execution.Verdict verdict = Execution.Verdict.OTHER;
        if (wasCalled) {
            try {
                verdict = endpoint.verdict(outcome);
            } catch (Throwable t) {
                outcome = new Outcome.Failed<>(t);
                verdict = Execution.Verdict.FINAL;
            }
        }
        end(End.EXPIRED, outcome, verdict);
    }

    /** Ends the whole call: its clock is gone. */
    private void lose() {
        Execution<Q, A> of = execution();
        if (of != null) {
            of.lose();
        }
    }

    /** Ends the attempt for an outcome that has been decided without it. */
    void drop(End how) {
        end(
                how,
                how == End.EXPIRED ? new Outcome.TimedOut<>(endpoint + " timed out") : new Outcome.Cancelled<>(),
                null);
    }

    /**
     * Ends the attempt, the first time that it is called.
     *
     * @param verdict null if the execution is not to be told
     * @return whether the outcome was taken
     */
    private boolean end(End how, Outcome<A> outcome, Execution.@Nullable Verdict verdict) {
        Execution<Q, A> of;
        Permit heldPermit;
        Breaker.Pass heldPass;
        TimeLimit heldTimer;
        CompletionStage<? extends A> heldStage;
        List<Runnable> actions;
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
            dropped = how != End.ANSWERED;
            of = execution;
            heldPermit = permit;
            heldPass = pass;
            heldTimer = timer;
            heldStage = stage;
            actions = onCancel;
            if (listener != null) {
                listener.attempt = null;
            }
            execution = null;
            request = null;
            permit = null;
            pass = null;
            timer = null;
            stage = null;
            listener = null;
            onCancel = null;
        }
        if (heldTimer != null) {
            heldTimer.cancel();
        }
        if (endpoint.options.bulkhead != null) {
            endpoint.options.bulkhead.withdraw(this);
        }
        if (how != End.ANSWERED) {
            if (heldStage != null) {
                GiveBack.cancel(heldStage);
            }
            if (actions != null) {
                actions.forEach(Reports::guarded);
            }
        }
        long elapsed = called ? endpoint.nanoTime() - calledAt : 0;
        if (called) {
            GiveBack.permit(heldPermit, how, outcome);
            GiveBack.pass(heldPass, how, outcome, verdict, elapsed);
        } else {
            GiveBack.unused(heldPermit, heldPass);
        }
        if (called && how != End.DROPPED && endpoint.options.hedge != null) {
            endpoint.latencies.add(elapsed);
        }
        return of != null && verdict != null && of.ended(this, outcome, verdict);
    }

    private synchronized @Nullable Execution<Q, A> execution() {
        return execution;
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    @Override
    public String toString() {
        return "attempt " + number + " of " + endpoint;
    }
}
