// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import dev.spindle.Coalesced;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * One task of a round: it notes its own runs, and what its submitter and the executor have said of it. When the executor has
 * terminated, {@link #fault} says whether that fits together.
 *
 * <p>The submitter calls {@link #accepted} or {@link #rejected} once; the executor, by way of the {@link Ledger}, the rest.
 */
final class Entry implements Runnable {
    private static final int RUNS = 0;
    private static final int FAILURES = 1;
    private static final int DROPS = 2;
    private static final int RETURNS = 3;
    private static final int LEFT = 4;

    private enum Answer {
        NONE,
        ACCEPTED,
        REJECTED
    }

    private final Ledger ledger;
    private final String kind;
    private final Place place;
    private final Work.Body body;
    private final long number;
    private final AtomicIntegerArray counts = new AtomicIntegerArray(5);
    private volatile Answer answer = Answer.NONE;
    private volatile boolean cancelling;
    private volatile boolean cancelled;
    private volatile @Nullable Future<?> future;
    private volatile @Nullable Coalesced coalesced;

    /**
     * Where a task runs.
     *
     * @param limit of which no more may be under way, or null
     * @param order that it keeps, or null
     * @param byCaller whether its submitter may run it inside a task that is meant by an interrupt
     */
    record Place(@Nullable Limit limit, @Nullable Order order, boolean byCaller) {
        static final Place ANYWHERE = new Place(null, null);

        Place(@Nullable Limit limit, @Nullable Order order) {
            this(limit, order, false);
        }
    }

    Entry(Ledger ledger, String kind, Place place, Work.Body body) {
        this.ledger = ledger;
        this.kind = kind;
        this.place = place;
        this.body = body;
        Order order = place.order();
        this.number = order == null ? -1 : order.next();
        ledger.add(this);
    }

    // ---------------------------------------------------------------- what runs

    @Override
    public void run() {
        begin();
        try {
            body.action().run();
        } finally {
            end();
        }
    }

    /** Notes that the task begins; for {@link #run}, and for async tasks, which end later. */
    void begin() {
        counts.incrementAndGet(RUNS);
        leave();
        boolean meant = cancelling || place.byCaller() || ledger.isInterrupting();
        if (!meant && Thread.currentThread().isInterrupted()) {
            ledger.violation(this + " began interrupted, and nobody meant it");
        }
        Limit limit = place.limit();
        if (limit != null && !limit.enter()) {
            ledger.violation(this + " overlaps with others of " + limit);
        }
        Order order = place.order();
        if (order != null && !order.begins(number)) {
            ledger.violation(this + " ran after a later one of " + order);
        }
    }

    void end() {
        Limit limit = place.limit();
        if (limit != null) {
            limit.leave();
        }
    }

    boolean isThrowing() {
        return body.throwing();
    }

    // ---------------------------------------------------------------- what the submitter learned

    void accepted() {
        answer = Answer.ACCEPTED;
    }

    void accepted(Future<?> by) {
        future = by;
        answer = Answer.ACCEPTED;
        leave();
    }

    void accepted(Coalesced by) {
        coalesced = by;
        answer = Answer.ACCEPTED;
        leave();
    }

    void rejected() {
        answer = Answer.REJECTED;
        leave();
    }

    /** Leaves the count of open tasks. Those with a handle do so at once: nobody tells when they are taken away. */
    void leave() {
        if (counts.compareAndSet(LEFT, 0, 1)) {
            ledger.left();
        }
    }

    /** Cancels the future or the submission. */
    void cancel(boolean interrupt) {
        cancelling = true;
        Future<?> asked = future;
        Coalesced submission = coalesced;
        cancelled = asked != null ? asked.cancel(interrupt) : submission != null && submission.cancel();
    }

    // ---------------------------------------------------------------- what the executor said

    void failed() {
        counts.incrementAndGet(FAILURES);
    }

    void dropped() {
        counts.incrementAndGet(DROPS);
        leave();
    }

    void returned() {
        counts.incrementAndGet(RETURNS);
    }

    // ---------------------------------------------------------------- the account

    @Nullable
    Order order() {
        return place.order();
    }

    long number() {
        return number;
    }

    @Nullable
    Future<?> future() {
        return future;
    }

    /** What became of it, in a word, for the counts of a round. */
    String fate() {
        if (answer != Answer.ACCEPTED) {
            return answer == Answer.REJECTED ? "rejected" : "unanswered";
        }
        if (counts.get(RUNS) > 0) {
            return "ran";
        }
        if (counts.get(RETURNS) > 0) {
            return "returned";
        }
        return isSuperseded() ? "superseded" : cancelled ? "cancelled" : isDropped() ? "dropped" : "lost";
    }

    private boolean isSuperseded() {
        Coalesced submission = coalesced;
        return submission != null && submission.isSuperseded();
    }

    /** A task with a future is dropped by cancelling that. */
    private boolean isDropped() {
        Future<?> handed = future;
        boolean withFuture = handed != null
                && handed.isCancelled()
                && !cancelled
                && counts.get(RUNS) == 0
                && counts.get(RETURNS) == 0;
        return counts.get(DROPS) > 0 || withFuture;
    }

    /** For a coalescing task: the place whose last one must not be lost; null for all others. */
    @Nullable
    Limit slot() {
        return coalesced == null ? null : place.limit();
    }

    /**
     * What is wrong with this task now that the executor has terminated, or null.
     *
     * @param dropping whether a bound of the executor may have dropped tasks
     */
    @Nullable
    String fault(boolean dropping) {
        int runs = counts.get(RUNS);
        int drops = Math.max(counts.get(DROPS), isDropped() ? 1 : 0);
        if (answer == Answer.NONE) {
            return "was neither accepted nor rejected";
        }
        if (answer == Answer.REJECTED) {
            return runs + drops + counts.get(RETURNS) == 0
                    ? null
                    : "was rejected, and yet " + described(runs, drops, false);
        }
        boolean superseded = isSuperseded();
        int ends = runs + drops + counts.get(RETURNS) + (superseded ? 1 : 0);
        if (ends != 1 && !(cancelled && ends == 0)) {
            return "was accepted, and " + described(runs, drops, superseded);
        }
        if (drops > 0 && !dropping) {
            return "was dropped, where no bound drops";
        }
        String told = future == null && coalesced == null ? null : toldWrongly(runs);
        return told != null ? told : failureToldWrongly(runs);
    }

    private String described(int runs, int drops, boolean superseded) {
        return "ran " + runs + ", was returned " + counts.get(RETURNS) + " and dropped " + drops + " times"
                + (superseded ? ", was superseded" : "") + (cancelled ? ", was cancelled" : "");
    }

    private @Nullable String toldWrongly(int runs) {
        Coalesced submission = coalesced;
        if (submission != null) {
            Coalesced.State state = submission.state();
            Coalesced.State right = runs == 1
                    ? isThrowing() ? Coalesced.State.FAILED : Coalesced.State.DONE
                    : isSuperseded() ? Coalesced.State.SUPERSEDED : Coalesced.State.CANCELLED;
            return state == right ? null : "is " + state + ", not " + right;
        }
        Future<?> handed = future;
        if (handed == null || cancelled) {
            return null;
        }
        if (!handed.isDone()) {
            return "has ended, and its future has not";
        }
        boolean right = runs == 1 ? !handed.isCancelled() && failedIn(handed) == isThrowing() : handed.isCancelled();
        return right ? null : "has a future that says something else: " + handed;
    }

    private static boolean failedIn(Future<?> done) {
        try {
            done.get();
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at a future that is done", e);
        }
    }

    /** Failures go to the handler when there is no future, and only then. */
    private @Nullable String failureToldWrongly(int runs) {
        int due = future == null && isThrowing() && runs == 1 ? 1 : 0;
        int told = counts.get(FAILURES);
        return told == due
                ? null
                : "threw " + due + " times for the failure handler, which was told " + told + " times";
    }

    @Override
    public String toString() {
        return kind + (place.order() == null ? "" : " number " + number + " of " + place.order());
    }
}
