// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.internal.Headroom;
import dev.spindle.flow.internal.UserCode;
import dev.spindle.internal.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** One attempt, and what it holds: a place in a bulkhead's queue, a permit, a pass, a timer and a stage. */
final class GuardedAttempt<Q extends @Nullable Object, A extends @Nullable Object> extends Bulkhead.Waiter
        implements Attempt {
    /*
     * The monitor guards the fields that change. No user code runs under the monitor.
     *
     * GuardedAttempt-1  The attempt ends once, by the first call of end(). That call takes everything that the attempt
     *     holds and gives it back, outside the monitor.
     * GuardedAttempt-2  After the end the attempt holds nothing. A thread that obtains a permit, a pass, a timer or a
     *                   stage for the attempt stores it under the monitor, or gives it back itself if the attempt has
     *                   ended.
     * GuardedAttempt-3  After the end neither the attempt, which the user may keep, nor the listener, which stays at a
     *                   stage that never completes, refers to the call.
     * GuardedAttempt-4  The timer is set before the user's function is called, so neither a function that blocks nor a
     *                   lost callback delays the answer past the limit. A failure between two steps of the start ends
     *                   the attempt, which then gives back everything that it holds.
     *
     * Headroom checks the stack in a call and in the completion of a stage, which user code makes.
     */
    /** The ways in which an attempt ends. */
    enum End {
        /** The call was answered, failed, or was not made. */
        ANSWERED,
        /** Its time was up. */
        EXPIRED,
        /**
         * Another attempt was faster. The end counts neither as a success nor as a failure, but shows how long calls
         * take.
         */
        LOST,
        /** The caller no longer needs the answer. The end counts neither as a success nor as a failure. */
        DROPPED
    }

    /**
     * The delay of a limit beyond which this process was late, and perhaps took the answer late as well: the bound of
     * A3.
     */
    private static final long MOST_LATE_NANOS = 20_000_000;

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
    private long givenNanos;
    private boolean committed;
    private long committedAt;
    private boolean excused;
    private long excusedAt;
    private long excusedNanos; // the excused time before the commit

    GuardedAttempt(Execution<Q, A> execution, Q request, int number, Deadline deadline) {
        this.execution = execution;
        this.request = request;
        this.number = number;
        this.deadline = deadline;
        endpoint = execution.endpoint;
    }

    // ---------------------------------------------------------------- methods for users

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
        Headroom.forOneStep();
        Execution<Q, A> of = execution();
        if (of == null || !of.commit(this)) {
            return false;
        }
        synchronized (this) {
            if (!ended && !committed) {
                committed = true;
                committedAt = endpoint.nanoTime();
                excusedNanos += excused ? committedAt - excusedAt : 0;
            }
        }
        return true;
    }

    @Override
    public synchronized void excuse(boolean is) {
        if (ended || excused == is) {
            return;
        }
        excused = is;
        if (committed) {
            return;
        }
        long now = endpoint.nanoTime();
        if (is) {
            excusedAt = now;
        } else {
            excusedNanos += now - excusedAt;
        }
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
        UserCode.guarded(action);
    }

    // ---------------------------------------------------------------- start

    /** Starts without a permit: if the endpoint has a bulkhead, takes a permit or waits for one. */
    void launch() {
        try {
            limit();
            if (isEnded()) {
                return;
            }
            Bulkhead bulkhead = endpoint.options.bulkhead;
            if (bulkhead == null) {
                start();
            } else {
                acquire(bulkhead);
            }
        } catch (Throwable t) {
            failed(t);
        }
    }

    private void acquire(Bulkhead bulkhead) {
        Permit got = bulkhead.acquire(this);
        if (got == null) {
            end(End.ANSWERED, endpoint.rejectedBy(bulkhead + " is full"), Execution.Verdict.OTHER);
        } else if (got == bulkhead.queued) {
            if (isEnded()) {
                bulkhead.withdraw(this);
            }
        } else if (hold(got)) {
            start();
        } else {
            got.unused();
        }
    }

    /** Starts with a permit, or null if the endpoint has no bulkhead. */
    void launch(@Nullable Permit got) {
        if (got != null && !hold(got)) {
            got.unused();
            return;
        }
        try {
            limit(); // GuardedAttempt-4
            start();
        } catch (Throwable t) {
            failed(t);
        }
    }

    /** Ends the attempt with a throwable of the library, the limiter, the breaker or the context hook. */
    private void failed(Throwable thrown) {
        boolean unused = end(End.ANSWERED, new Outcome.Failed<>(thrown), Execution.Verdict.UNKNOWN);
    }

    /** Sets the timer, unless the scatter-gather has one for this deadline. */
    private void limit() {
        Execution<Q, A> of = execution();
        if (of == null) {
            return;
        }
        if (of.isWatched(deadline)) {
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

    /** Takes a permit after a wait. A time limit of zero makes the call, not the thread that gave the permit back. */
    @Override
    boolean granted(Permit got) {
        if (!hold(got)) {
            return false;
        }
        Execution<Q, A> of = execution();
        if (of == null) {
            return !unhold();
        }
        try {
            TimeLimit unused = of.timer(0, this::startGranted);
            return true;
        } catch (RejectedExecutionException e) {
            return !unhold();
        } catch (Throwable t) { // thrown by the user's context hook
            failed(t);
            return true;
        }
    }

    private void startGranted() {
        if (endpoint.isShutdown()) {
            refused();
            return;
        }
        try {
            start();
        } catch (Throwable t) {
            failed(t);
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
        long left = deadline.remainingNanos();
        if (left == 0) {
            expire();
            return;
        }
        if (isTooLittle(left)) { // checked again, since the call may have waited
            end(End.ANSWERED, endpoint.tooLate(), Execution.Verdict.OTHER);
            return;
        }
        if (!pass()) {
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
            givenNanos = left;
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
        if (!wanted) { // GuardedAttempt-2
            GuardRelease.cancel(got);
        }
        try {
            got.whenComplete(ear);
            ear.isAtOnce = false;
        } catch (Throwable t) { // thrown by a user's implementation of CompletionStage
            answered(null, t);
        }
    }

    /**
     * Returns true if too little time is left for a call to be worth making. If the limit is not above the floor, the
     * time left for the whole call decides.
     */
    private boolean isTooLittle(long leftNanos) {
        Execution<Q, A> of = execution();
        return endpoint.isTooLittle(
                endpoint.options.timeoutNanos > endpoint.options.floorNanos || of == null
                        ? leftNanos
                        : of.remainingNanos());
    }

    /** Asks the breaker for a pass; false if the attempt has ended. */
    private boolean pass() {
        Breaker breaker = endpoint.options.breaker;
        if (breaker == null || isEnded()) {
            return breaker == null;
        }
        Breaker.Pass got = breaker.tryPass();
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
        UserCode.guarded(got::ignore);
        return false;
    }

    // ---------------------------------------------------------------- end

    /** Takes the answer; false if the answer is no longer needed. */
    boolean answered(@Nullable A value, @Nullable Throwable thrown) {
        Outcome<A> outcome = outcome(value, thrown);
        Execution.Verdict verdict;
        try {
            verdict = endpoint.verdict(outcome);
        } catch (Throwable t) { // thrown by the user's predicate
            failed(t);
            return false;
        }
        return end(End.ANSWERED, outcome, verdict);
    }

    /** Ends the attempt, whose time is up, or the whole call if its timers are gone. */
    void passLimit() {
        if (endpoint.isShutdown() && !deadline.isExpired()) {
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
                verdict = Execution.Verdict.UNKNOWN;
            }
        }
        end(End.EXPIRED, outcome, verdict);
    }

    /** Ends the whole call, whose timers are gone. */
    private void lose() {
        Execution<Q, A> of = execution();
        if (of != null) {
            of.lose();
        }
    }

    /** Ends the attempt, without which the outcome of the call was decided. */
    void drop(End how) {
        end(
                how,
                how == End.EXPIRED ? new Outcome.TimedOut<>(endpoint + " timed out") : new Outcome.Cancelled<>(),
                null);
    }

    /**
     * Ends the attempt, on the first call.
     *
     * @param verdict the verdict, or null if the execution must not be told
     * @return whether the execution has taken the outcome
     */
    private boolean end(End how, Outcome<A> outcome, Execution.@Nullable Verdict verdict) {
        Execution<Q, A> of;
        Held<A> held;
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
            dropped = how != End.ANSWERED;
            of = execution;
            held = new Held<>(permit, pass, timer, stage, onCancel, of != null && of.isOwn(deadline));
            if (listener != null) {
                listener.attempt = null;
            }
            execution = null; // GuardedAttempt-3
            request = null;
            permit = null;
            pass = null;
            timer = null;
            stage = null;
            listener = null;
            onCancel = null;
        }
        try {
            giveBack(held, how, outcome, verdict);
        } catch (Throwable t) { // the call must end all the same
            UserCode.uncaught(t);
        }
        return of != null && verdict != null && of.ended(this, outcome, verdict);
    }

    /** The parts that an attempt held until its end. */
    private record Held<A extends @Nullable Object>(
            @Nullable Permit permit,
            Breaker.@Nullable Pass pass,
            @Nullable TimeLimit timer,
            @Nullable CompletionStage<? extends A> stage,
            @Nullable List<Runnable> onCancel,
            boolean byTheDeadlineOfTheCall) {}

    /** Gives everything back after the end. The permit and the pass are given back even if another step fails. */
    private void giveBack(Held<A> held, End how, Outcome<A> outcome, Execution.@Nullable Verdict verdict) {
        try {
            if (held.timer != null) { // GuardedAttempt-1
                held.timer.cancel();
            }
            if (endpoint.options.bulkhead != null) {
                endpoint.options.bulkhead.withdraw(this);
            }
        } finally {
            tellGuards(held, how, outcome, verdict);
        }
    }

    private void tellGuards(Held<A> held, End how, Outcome<A> outcome, Execution.@Nullable Verdict verdict) {
        if (!called) {
            GuardRelease.unused(held.permit, held.pass); // B5
            return;
        }
        long now = endpoint.nanoTime();
        long answered = committed ? committedAt : now;
        long waited = excusedNanos + (excused && !committed ? now - excusedAt : 0);
        long took = answered - calledAt - waited;
        End counted = counted(how, outcome, held.byTheDeadlineOfTheCall, now, waited);
        if (how != End.ANSWERED) {
            if (held.stage != null) {
                GuardRelease.cancel(held.stage);
            }
            if (held.onCancel != null) {
                held.onCancel.forEach(UserCode::guarded);
            }
        }
        GuardRelease.permit(held.permit, counted, outcome, now - answered + waited);
        GuardRelease.pass(held.pass, counted, outcome, verdict, took);
        if (counted != End.DROPPED && endpoint.options.hasHedges()) {
            endpoint.latencies.add(took);
        }
    }

    /**
     * Returns the end that the guards count. This is {@link End#DROPPED}, which they ignore, if the backend is excused,
     * or if the backend did not cause the timeout. The backend did not cause it if the caller's deadline left less time
     * than the backend may take, if this thread noticed the timeout late, if most of the time passed waiting for the
     * caller, or if the answer had begun, since the duration of an answer depends on its reader.
     *
     * @param ofTheCall true if the deadline of the attempt is that of the call, not a limit of the endpoint
     * @param waited the time for which the backend was excused
     */
    private End counted(End how, Outcome<A> outcome, boolean ofTheCall, long now, long waited) {
        if (excused && how != End.LOST) { // B4
            return End.DROPPED;
        }
        // A function that uses the remaining time as its own limit reports the timeout a little earlier.
        boolean ranOut =
                how == End.EXPIRED || (outcome instanceof Outcome.TimedOut<A> && now - calledAt >= givenNanos / 4 * 3);
        if (!ranOut || how == End.LOST) {
            return how;
        }
        boolean tooShort = ofTheCall && givenNanos < endpoint.expectedNanos();
        tooShort |= waited > 0 && givenNanos - waited < endpoint.expectedNanos() / 4 * 3;
        boolean tooLate = how == End.EXPIRED && deadline.lateNanos() > MOST_LATE_NANOS;
        return tooShort || tooLate || committed ? End.DROPPED : how;
    }

    @SuppressWarnings("NullAway") // the value may be null if A may be null
    private static <A extends @Nullable Object> Outcome<A> outcome(@Nullable A value, @Nullable Throwable thrown) {
        return thrown == null ? new Outcome.Value<>(value) : Outcome.ofThrown(thrown);
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
