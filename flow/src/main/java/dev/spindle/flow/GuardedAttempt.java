// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.internal.UserCode;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** An attempt. It may hold a place in the queue of a bulkhead, a permit, a pass, a timer and a stage. */
final class GuardedAttempt<Q extends @Nullable Object, A extends @Nullable Object> extends Bulkhead.Waiter
        implements Attempt {
    /*
     * The monitor guards the fields that change. No user code runs under the monitor.
     *
     * GuardedAttempt-1  The attempt ends once, by the first call of end(). This call takes the permit, the pass, the
     *     timer and the stage of the attempt, and gives them back outside the monitor.
     * GuardedAttempt-2  After the end the attempt holds nothing. A thread that obtains a permit, a pass, a timer or a
     *                   stage for the attempt stores it under the monitor, or gives it back itself if the attempt has
     *                   ended.
     * GuardedAttempt-3  After the end neither the attempt nor its listener refers to the call. A user may keep the
     *                   attempt, and a stage that never completes keeps the listener.
     * GuardedAttempt-4  The timer is set before the user's function is called, so neither a function that blocks nor a
     *                   stage that never completes delays the answer past the time limit. A failure during the start
     *                   ends the attempt.
     *
     * User code makes calls and completes stages, so Headroom checks the stack at both.
     */
    /** The ways in which an attempt ends. */
    enum End {
        /** The call was answered or has failed, or it was not made. */
        ANSWERED,
        /** The time of the attempt was up. */
        EXPIRED,
        /** Another attempt was faster. The end is neither a success nor a failure; the duration is recorded. */
        LOST,
        /** The caller no longer needs the answer. The end is neither a success nor a failure. */
        DROPPED
    }

    /**
     * The bound of A3 on the delay of a time limit. If a limit acts later, this process was slow, and may also have
     * taken the answer late.
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
        Headroom.requireTwice();
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

    /**
     * Starts an attempt without a permit. If the endpoint has a bulkhead, the attempt takes a permit, waits for one, or
     * ends if there is no room to wait.
     */
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

    /**
     * Starts an attempt with a permit, which is null if the endpoint has no bulkhead. If the attempt has ended, gives
     * the permit back.
     */
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

    /** Ends the attempt after the library or user code other than the called function has thrown. */
    private void failed(Throwable thrown) {
        boolean unused = end(End.ANSWERED, new Outcome.Failed<>(thrown), Execution.Verdict.UNKNOWN);
    }

    /**
     * Sets the timer, unless the attempt has ended or a scatter-gather has a timer for this deadline. If the spindle
     * refuses the timer, ends the whole call.
     */
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

    /** Takes a permit after a wait. A timer of zero makes the call, not the thread that gave the permit back. */
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
        } catch (Throwable t) { // thrown by the user's task decorator
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

    /** Makes the call, or ends the attempt if too little time is left or the breaker is open. */
    @SuppressWarnings("NullAway") // until the end, the request is null only if Q may be null
    private void start() {
        long left = deadline.remainingNanos();
        if (left == 0) {
            expire();
            return;
        }
        if (isTooLittle(left)) { // checked again, since the attempt may have waited for a permit
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
            endpoint.countCalled();
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
     * Returns true if too little time is left to make a call. If the timeout is not above the floor, this method
     * compares the time left for the whole call with the floor, instead of the time left for the attempt.
     */
    private boolean isTooLittle(long leftNanos) {
        Execution<Q, A> of = execution();
        return endpoint.isTooLittle(
                endpoint.options.timeoutNanos > endpoint.options.floorNanos || of == null
                        ? leftNanos
                        : of.remainingNanos());
    }

    /**
     * Asks the breaker, if any, for a pass; a refusal ends the attempt. Returns false if there is a breaker and the
     * attempt has ended.
     */
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

    /** Takes the answer. Returns false if the answer is not needed, or if the user's predicate throws. */
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

    /** Ends the attempt, whose time is up. If a shutdown has ended the timers early, ends the whole call. */
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

    /** Ends the whole call after a shutdown of the spindle, which has ended the timers. */
    private void lose() {
        Execution<Q, A> of = execution();
        if (of != null) {
            of.lose();
        }
    }

    /** Ends the attempt. Called when the call was settled, or another attempt was committed. */
    void drop(End how) {
        end(
                how,
                how == End.EXPIRED ? new Outcome.TimedOut<>(endpoint + " timed out") : new Outcome.Cancelled<>(),
                null);
    }

    /**
     * Ends the attempt. Only the first call has an effect.
     *
     * @param verdict the verdict, or null if the end is not reported to the execution
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
        } catch (Throwable t) { // the execution must get the outcome in any case
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

    /** Gives back what the attempt held. The permit and the pass are given back even if an earlier step throws. */
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
        endpoint.countEnded(called, outcome);
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
     * Returns the end that is reported to the limiter and the breaker. Both ignore {@link End#DROPPED}. The result is
     * DROPPED while the backend is excused, and after a timeout that the backend did not cause. The backend did not
     * cause a timeout if
     *
     * <ul>
     *   <li>the deadline of the call left less time than the backend may take,
     *   <li>the attempt waited for the caller, and the rest of its time is below three quarters of the time that the
     *       backend may take,
     *   <li>this process noticed the timeout late, or
     *   <li>the attempt was committed, since the duration of an answer depends on its reader.
     * </ul>
     *
     * @param ofTheCall true if the deadline of the attempt is that of the call, not that of a shorter timeout
     * @param waited the time for which the backend was excused
     */
    private End counted(End how, Outcome<A> outcome, boolean ofTheCall, long now, long waited) {
        if (excused && how != End.LOST) { // B4
            return End.DROPPED;
        }
        // A function that uses the remaining time as its own timeout may report a timeout before this limit passes.
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
