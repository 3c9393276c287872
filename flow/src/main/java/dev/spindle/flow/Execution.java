// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.flow.GuardedAttempt.End;
import dev.spindle.flow.internal.Promise;
import dev.spindle.flow.internal.UserCode;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A call of an endpoint: its attempts, and the outcome for its caller. */
final class Execution<Q extends @Nullable Object, A extends @Nullable Object> {
    /*
     * The monitor guards all fields that change. No user code runs under the monitor: a method decides under the
     * monitor, and acts after it has left the monitor.
     *
     * Execution-1  The call is settled once: by a final outcome, by its caller, or by its deadline. The thread that
     *              settles the call cancels the timers and the attempts, and then completes the promise.
     * Execution-2  `open` is the number of attempts that were begun and have not reported their end. Until the call is
     *              settled, `open` is above 0, or the timer of a retry is set, or the thread that lowered `open` to 0
     *              is about to settle the call or to set this timer.
     * Execution-3  A committed attempt is the only attempt; its end settles the call.
     * Execution-4  Until the call is settled, `last` is the only outcome to which the call refers. A thread that
     *              settles the call with another outcome, or without an outcome, discards `last`.
     * Execution-5  If `watched` is true, a scatter-gather or the caller has a timer for the deadline of the call and
     *              abandons the call. An attempt without an earlier timeout then has no timer.
     * Execution-6  While the timer of a retry is set, no timer of a hedge is set; the retry sets the hedge's timer
     *     again.
     *
     * The thread that lowers `open` to 0 acts alone, since no hedge begins while `open` is 0.
     *
     * Every call ends by its deadline. Each attempt has a timer that is not later than the deadline, its own or that of
     * the watcher, and the timer is set before the backend is called. The timer of a retry is set only if the
     * retry begins before the deadline.
     */
    /** The meaning of an attempt's end for the call. */
    enum Verdict {
        /** A value, or an exception that is not a failure of the backend. */
        FINAL,
        /** A failure of the backend. */
        FAILED,
        /** Any other outcome, such as a rejection. The attempt is neither counted nor retried. */
        OTHER,
        /** The user's predicate, or the library, has thrown. The call ends, and is not counted. */
        UNKNOWN
    }

    final Endpoint<Q, A> endpoint;
    private final Deadline deadline;
    private final boolean watched;
    private @Nullable HandedContext context;
    private boolean idempotent;
    private @Nullable Promise<Outcome<A>> promise;

    private @Nullable Q request;

    private final List<GuardedAttempt<Q, A>> attempts = new ArrayList<>(1);
    private boolean settled;
    private int open;
    private int begun;
    private int retries;
    private boolean hedged;
    private @Nullable GuardedAttempt<Q, A> committed;
    private @Nullable Outcome<A> last;
    private boolean lastFailed;
    private @Nullable TimeLimit hedgeTimer;
    private @Nullable TimeLimit retryTimer;

    Execution(Endpoint<Q, A> endpoint, Q request, Deadline deadline, boolean watched) {
        this.endpoint = endpoint;
        this.request = request;
        this.deadline = deadline;
        this.watched = watched;
    }

    /** Begins the call, whose outcome settles {@code to}. */
    @SuppressWarnings("NullAway") // until the call is settled, the request is null only if Q may be null
    void begin(Promise<Outcome<A>> to) {
        promise = to;
        Outcome<A> refusal = endpoint.refusal(deadline);
        if (refusal == null) {
            try {
                context = HandedContext.captureFor(endpoint.options.spindle);
                idempotent = endpoint.mayRepeat(request);
            } catch (Throwable t) {
                refusal = new Outcome.Failed<>(t);
            }
        }
        if (refusal != null) {
            settle(refusal, End.LOST);
            return;
        }
        endpoint.budget.called();
        GuardedAttempt<Q, A> first = next();
        if (first != null) {
            armHedge();
            first.launch();
        }
    }

    /** Sets a timer whose action runs in the caller's context. */
    TimeLimit timer(long nanos, Runnable action) {
        return endpoint.timer(nanos, () -> inContext(action));
    }

    private void inContext(Runnable action) {
        HandedContext.runIn(context, action::run);
    }

    /** Adds and returns an attempt; null if the call is settled. */
    @SuppressWarnings("NullAway") // until the call is settled, the request is null only if Q may be null
    private synchronized @Nullable GuardedAttempt<Q, A> next() {
        if (settled) {
            return null;
        }
        GuardedAttempt<Q, A> attempt =
                new GuardedAttempt<>(this, request, begun++, deadline.withinNanos(endpoint.options.timeoutNanos));
        attempts.add(attempt);
        open++;
        return attempt;
    }

    /** Returns true if {@code of} is the deadline of the call, not that of a shorter timeout. */
    boolean isOwn(Deadline of) {
        return of == deadline;
    }

    /** Returns true if a watcher has the timer for an attempt with the deadline {@code of}. */
    boolean isWatched(Deadline of) {
        return watched && of == deadline; // Execution-5
    }

    long remainingNanos() {
        return deadline.remainingNanos();
    }

    // ---------------------------------------------------------------- hedges

    private void armHedge() {
        long delay = idempotent ? endpoint.hedgeNanos() : -1;
        if (delay < 0 || endpoint.isTooLittle(deadline.remainingNanos() - delay) || !mayHedge()) {
            return;
        }
        TimeLimit timer;
        try {
            timer = timer(delay, this::hedge);
        } catch (RejectedExecutionException e) {
            return; // the spindle was shut down or could start no thread; no hedge begins
        } catch (Throwable t) { // thrown by the user's task decorator
            UserCode.uncaught(t);
            return;
        }
        synchronized (this) {
            if (mayHedge()) {
                hedgeTimer = timer;
                return;
            }
        }
        timer.cancel();
    }

    private synchronized boolean mayHedge() {
        return !settled && committed == null && open > 0;
    }

    /** Begins a hedge if a permit is free and no call waits for a permit. */
    private void hedge() {
        if (!mayHedge()
                || endpoint.isShutdown()
                || endpoint.isTooLittle(deadline.remainingNanos())
                || !endpoint.budget.tryTake()) {
            return;
        }
        Bulkhead bulkhead = endpoint.options.bulkhead;
        Permit permit = null;
        if (bulkhead != null) {
            try {
                permit = bulkhead.tryAcquireSecond();
            } catch (Throwable t) {
                UserCode.uncaught(t);
            }
            if (permit == null) {
                endpoint.budget.untake(); // B3
                return;
            }
        }
        GuardedAttempt<Q, A> attempt;
        synchronized (this) {
            attempt = mayHedge() ? next() : null;
            hedgeTimer = null;
            hedged = true;
        }
        if (attempt == null) {
            endpoint.budget.untake();
            if (permit != null) {
                permit.unused();
            }
            return;
        }
        attempt.launch(permit);
    }

    // ---------------------------------------------------------------- the ends of attempts

    /** Records the end of an attempt. Returns false if the call was settled before. */
    boolean ended(GuardedAttempt<Q, A> attempt, Outcome<A> outcome, Verdict verdict) {
        Outcome<A> decided = null;
        Outcome<A> replaced = null;
        Remains<Q, A> remains = null;
        TimeLimit pending = null;
        boolean again = false;
        synchronized (this) {
            if (settled) {
                return false;
            }
            open--;
            attempts.remove(attempt);
            if (verdict == Verdict.FINAL || verdict == Verdict.UNKNOWN || committed == attempt) {
                remains = close();
            } else {
                if (last == null || verdict == Verdict.FAILED) {
                    replaced = last;
                    last = outcome;
                    lastFailed = verdict == Verdict.FAILED;
                }
                if (open == 0) { // Execution-2
                    decided = last;
                    again = lastFailed && retries < endpoint.options.retries && idempotent;
                    pending = hedgeTimer; // Execution-6
                    hedgeTimer = null;
                }
            }
        }
        if (pending != null) {
            pending.cancel();
        }
        if (remains != null) {
            settle(remains, outcome, End.LOST);
            return true;
        }
        endpoint.discardOutcome(replaced);
        if (decided != null && !(again && retryLater())) {
            settle(decided, End.LOST);
        }
        return true;
    }

    /** Sets the timer of a retry. Returns false if no retry is permitted. */
    private boolean retryLater() {
        int number;
        synchronized (this) {
            number = retries++;
        }
        long delay = endpoint.backoff.delayNanos(number);
        if (endpoint.isTooLittle(deadline.remainingNanos() - delay) || !endpoint.budget.tryTake()) {
            return false;
        }
        TimeLimit timer;
        try {
            timer = timer(delay, this::retry);
        } catch (RejectedExecutionException e) {
            endpoint.budget.untake();
            return false;
        } catch (Throwable t) {
            UserCode.uncaught(t);
            endpoint.budget.untake();
            return false;
        }
        synchronized (this) {
            if (!settled) {
                retryTimer = timer;
                return true;
            }
        }
        timer.cancel();
        return true;
    }

    private void retry() {
        Outcome<A> failure;
        boolean mayHedge;
        synchronized (this) {
            retryTimer = null;
            failure = last;
            mayHedge = !hedged;
        }
        if (endpoint.isShutdown()) {
            settle(failure, End.DROPPED);
            return;
        }
        GuardedAttempt<Q, A> attempt = next();
        if (attempt != null) {
            if (mayHedge) {
                armHedge();
            }
            attempt.launch();
        }
    }

    /**
     * Makes {@code attempt} the only attempt. Returns false if another attempt was committed, or {@code attempt} has
     * ended.
     */
    boolean commit(GuardedAttempt<Q, A> attempt) {
        List<GuardedAttempt<Q, A>> others;
        TimeLimit timer;
        synchronized (this) {
            if (settled || (committed != null && committed != attempt) || !attempts.contains(attempt)) {
                return false;
            }
            committed = attempt;
            others = List.of();
            if (attempts.size() > 1) {
                others = new ArrayList<>(attempts);
                others.remove(attempt);
            }
            timer = hedgeTimer;
            hedgeTimer = null;
        }
        if (timer != null) {
            timer.cancel();
        }
        for (GuardedAttempt<Q, A> other : others) {
            other.drop(End.LOST); // Execution-3
        }
        return true;
    }

    // ---------------------------------------------------------------- the end of the call

    /** Ends a call whose caller no longer needs the answer, or whose deadline has passed. */
    void abandon() {
        settle(null, deadline.isExpired() ? End.EXPIRED : End.DROPPED);
    }

    /** Ends the call as rejected, since a shutdown of the spindle has ended its timers. */
    void lose() {
        settle(new Outcome.Rejected<>(endpoint + " was given up: the spindle was shut down"), End.DROPPED);
    }

    private void settle(@Nullable Outcome<A> outcome, End how) {
        Remains<Q, A> remains = close();
        if (remains != null) {
            settle(remains, outcome, how);
        }
    }

    /** The parts of a call that must be ended by the thread that settles the call. */
    private record Remains<Q extends @Nullable Object, A extends @Nullable Object>(
            List<GuardedAttempt<Q, A>> losers,
            @Nullable TimeLimit hedge,
            @Nullable TimeLimit retry,
            @Nullable Outcome<A> unused) {}

    /** Marks the call as settled, and returns its attempts, timers and last outcome; null if it was settled before. */
    private synchronized @Nullable Remains<Q, A> close() {
        if (settled) {
            return null;
        }
        settled = true;
        Remains<Q, A> remains = new Remains<>(List.copyOf(attempts), hedgeTimer, retryTimer, last);
        attempts.clear();
        hedgeTimer = null;
        retryTimer = null;
        committed = null;
        last = null;
        request = null;
        return remains;
    }

    private void settle(Remains<Q, A> remains, @Nullable Outcome<A> outcome, End how) {
        if (remains.hedge != null) {
            remains.hedge.cancel();
        }
        if (remains.retry != null) { // Execution-1
            remains.retry.cancel();
        }
        for (GuardedAttempt<Q, A> loser : remains.losers) {
            loser.drop(how); // B1
        }
        if (remains.unused != outcome) {
            endpoint.discardOutcome(remains.unused); // Execution-4
        }
        if (outcome != null && !requireNonNull(promise).settle(outcome)) {
            endpoint.discardOutcome(outcome);
        }
    }
}
