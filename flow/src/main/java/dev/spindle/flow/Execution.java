// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.ContextHook;
import dev.spindle.TimeLimit;
import dev.spindle.flow.GuardedAttempt.End;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** One call of an endpoint: its attempts, and the one answer to its caller. */
final class Execution<Q extends @Nullable Object, A extends @Nullable Object> {
    /*
     * The monitor guards all fields that change. Nothing foreign runs under it: a method first decides under it and
     * then acts outside.
     *
     * Execution-1  The call is settled once: by the first outcome that is final, in the step that takes it. Who settles
     *              it cancels the timers and the attempts, and then completes the answer.
     * Execution-2  `open` is the number of attempts that were begun and have not told of their end. While the call is
     *              not settled, open > 0, or a retry waits for its time, or the thread that made it 0 is about to
     *              settle the call or to set the timer of a retry: that thread is alone, for a hedge needs open > 0.
     * Execution-3  A committed attempt is the only one; its end settles the call.
     * Execution-4  Until the call is settled, `last` is the one outcome that it has and no other place knows. So
     *              whoever settles it in between, with another outcome or with none, discards it.
     *
     * Execution-5  The deadline of a call is `watched` if somebody has a timer for it and tells of it by timeIsUp().
     *              Then attempts that have no earlier one need none: timeIsUp() ends those that are there, and one that
     *              comes later finds `overdue`, which is set in the same step, and ends itself.
     *
     * Execution-6  While a retry waits for its time, no timer of a hedge is set: it is set anew when the retry begins.
     *
     * It always ends by the deadline: each attempt has a timer that is not later, its own or one for all, set before
     * the user's function is called; and a retry is only waited for if its time comes before the deadline.
     */
    /** What the end of an attempt means for the call. */
    enum Verdict {
        /** An answer, or a failure that another attempt would not mend. */
        FINAL,
        /** A failure of the backend. */
        FAILED,
        /** No answer, and none of the backend's fault: nothing to count, and nothing to try again. */
        OTHER,
        /** The program could not say what the answer means: the end of the call, and nothing to count. */
        UNKNOWN
    }

    final Endpoint<Q, A> endpoint;
    private final Deadline deadline;
    private final boolean watched;
    private Executor context = Runnable::run;
    private boolean repeatable;
    private @Nullable Receiver<A> receiver;

    private @Nullable Q request;

    private final List<GuardedAttempt<Q, A>> attempts = new ArrayList<>(1);
    private boolean settled;
    private boolean overdue;
    private int open;
    private int begun;
    private int retries;
    private int hedges;
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

    /** Begins the call, whose outcome goes to {@code to}. */
    @SuppressWarnings("NullAway") // the request is there until the call is settled, and null where Q may be
    void begin(Receiver<A> to) {
        receiver = to;
        Outcome<A> refusal = endpoint.refusal(deadline);
        if (refusal == null) {
            try {
                context = ContextHook.capture(endpoint.options.spindle);
                repeatable = endpoint.mayRepeat(request);
            } catch (Throwable t) {
                refusal = new Outcome.Failed<>(t);
            }
        }
        if (refusal != null) {
            settle(refusal, End.LOST);
            return;
        }
        endpoint.options.budget.called();
        GuardedAttempt<Q, A> first = next();
        if (first != null) {
            armHedge();
            first.launch();
        }
    }

    /** Sets a timer whose action has the context of the caller. */
    TimeLimit timer(long nanos, Runnable action) {
        return endpoint.timer(nanos, () -> context.execute(action));
    }

    /** Adds an attempt; null if the call is settled. */
    @SuppressWarnings("NullAway") // the request is there until the call is settled, and null where Q may be
    private synchronized @Nullable GuardedAttempt<Q, A> next() {
        if (settled) {
            return null;
        }
        GuardedAttempt<Q, A> attempt =
                new GuardedAttempt<>(this, request, begun++, deadline.withinNanos(endpoint.options.limitNanos));
        attempts.add(attempt);
        open++;
        return attempt;
    }

    /** The watched deadline has passed. */
    void timeIsUp() {
        List<GuardedAttempt<Q, A>> all;
        synchronized (this) {
            overdue = true;
            all = List.copyOf(attempts);
        }
        for (GuardedAttempt<Q, A> attempt : all) {
            Reports.onTime(attempt::passLimit);
        }
    }

    /** Returns whether this is the deadline of the call, and not a limit of the endpoint's. */
    boolean isOwn(Deadline of) {
        return of == deadline;
    }

    /** Returns whether somebody else has the timer of an attempt with this deadline. */
    boolean isWatched(Deadline of) {
        return watched && of == deadline;
    }

    long remainingNanos() {
        return deadline.remainingNanos();
    }

    synchronized boolean isOverdue() {
        return overdue;
    }

    // ---------------------------------------------------------------- hedges

    private void armHedge() {
        Hedge hedge = endpoint.options.hedge;
        if (hedge == null || !repeatable) {
            return;
        }
        long delay = hedge.delayNanos(endpoint.latencies);
        if (delay < 0 || endpoint.isTooLittle(deadline.remainingNanos() - delay) || !mayHedge()) {
            return;
        }
        TimeLimit timer;
        try {
            timer = timer(delay, this::hedge);
        } catch (RejectedExecutionException e) {
            return; // the timer of the attempt finds out as well, or the answer comes
        } catch (Throwable t) { // no memory, or the user's hook
            Reports.uncaught(t);
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

    /** Makes the call beside those that are under way, if there is a permit that nobody waits for. */
    private void hedge() {
        if (!mayHedge()
                || endpoint.isShutdown()
                || endpoint.isTooLittle(deadline.remainingNanos())
                || !endpoint.options.budget.tryTake()) {
            return;
        }
        Bulkhead bulkhead = endpoint.options.bulkhead;
        Permit permit = null;
        if (bulkhead != null) {
            try {
                permit = bulkhead.tryAcquire();
            } catch (Throwable t) {
                Reports.uncaught(t);
            }
            if (permit == null) {
                endpoint.options.budget.untake();
                return;
            }
        }
        GuardedAttempt<Q, A> attempt;
        boolean more;
        synchronized (this) {
            attempt = mayHedge() ? next() : null;
            hedgeTimer = null;
            more = ++hedges < endpoint.hedges();
        }
        if (attempt == null) {
            endpoint.options.budget.untake();
            if (permit != null) {
                permit.unused();
            }
            return;
        }
        if (more) {
            armHedge();
        }
        attempt.launch(permit);
    }

    // ---------------------------------------------------------------- the ends of attempts

    /** Takes the end of an attempt; false if the call was settled before. */
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
                if (open == 0) {
                    decided = last;
                    again = lastFailed && retries < endpoint.retries() && repeatable;
                    pending = hedgeTimer;
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

    /** Sets the timer of a retry; false if there is to be none. */
    private boolean retryLater() {
        Retry retry = endpoint.options.retry;
        if (retry == null) {
            return false;
        }
        int number;
        synchronized (this) {
            number = retries++;
        }
        long delay;
        try {
            delay = retry.delayNanos(number);
        } catch (Throwable t) { // the user's source of jitter
            Reports.uncaught(t);
            return false;
        }
        if (endpoint.isTooLittle(deadline.remainingNanos() - delay) || !endpoint.options.budget.tryTake()) {
            return false;
        }
        TimeLimit timer;
        try {
            timer = timer(delay, this::retry);
        } catch (RejectedExecutionException e) {
            endpoint.options.budget.untake();
            return false;
        } catch (Throwable t) {
            Reports.uncaught(t);
            endpoint.options.budget.untake();
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
        boolean hedged;
        synchronized (this) {
            retryTimer = null;
            failure = last;
            hedged = hedges < endpoint.hedges();
        }
        if (endpoint.isShutdown()) {
            settle(failure, End.DROPPED);
            return;
        }
        GuardedAttempt<Q, A> attempt = next();
        if (attempt != null) {
            if (hedged) {
                armHedge();
            }
            attempt.launch();
        }
    }

    /** Makes {@code attempt} the only one; false if another is, or it has ended. */
    boolean commit(GuardedAttempt<Q, A> attempt) {
        List<GuardedAttempt<Q, A>> others;
        TimeLimit timer;
        synchronized (this) {
            if (settled || (committed != null && committed != attempt) || !attempts.contains(attempt)) {
                return false;
            }
            committed = attempt;
            others = new ArrayList<>(attempts);
            others.remove(attempt);
            timer = hedgeTimer;
            hedgeTimer = null;
        }
        if (timer != null) {
            timer.cancel();
        }
        for (GuardedAttempt<Q, A> other : others) {
            other.drop(End.LOST);
        }
        return true;
    }

    // ---------------------------------------------------------------- the end of the call

    /** The caller needs nothing any more. If it is because the time was up, that is no news about the backend. */
    void abandon() {
        settle(null, deadline.isUsedUp() ? End.EXPIRED : End.DROPPED);
    }

    /** The spindle was shut down, and with it the clock. */
    void lose() {
        settle(new Outcome.Rejected<>(endpoint + " was given up: the spindle was shut down"), End.DROPPED);
    }

    private void settle(@Nullable Outcome<A> outcome, End how) {
        Remains<Q, A> remains = close();
        if (remains != null) {
            settle(remains, outcome, how);
        }
    }

    /** What a call that is settled leaves behind. */
    private record Remains<Q extends @Nullable Object, A extends @Nullable Object>(
            List<GuardedAttempt<Q, A>> losers,
            @Nullable TimeLimit hedge,
            @Nullable TimeLimit retry,
            @Nullable Outcome<A> unused) {}

    /** Marks the call as settled, and takes what is left of it; null if it was settled before. */
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
        if (remains.retry != null) {
            remains.retry.cancel();
        }
        for (GuardedAttempt<Q, A> loser : remains.losers) {
            loser.drop(how);
        }
        if (remains.unused != outcome) {
            endpoint.discardOutcome(remains.unused);
        }
        if (outcome != null && !requireNonNull(receiver).settle(outcome)) {
            endpoint.discardOutcome(outcome);
        }
    }
}
