// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Waiter;
import dev.spindle.internal.Durations;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.OwnTasks;
import dev.spindle.messaging.StackCheckedFuture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An ask: the future that the asked actor completes, and the future of the caller. The first completion of either, the
 * time limit, or the end of the asked actor ends the ask.
 *
 * @param <R> the type of the answer
 */
final class Ask<R extends @Nullable Object> {
    private final ActorBase asked;
    private final Reply given = new Reply();
    private final CompletableFuture<R> answer = new CompletableFuture<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final boolean direct;
    private volatile @Nullable TimeLimit limit;
    private volatile @Nullable Throwable expiry; // the failure by which the time limit ends this ask
    private volatile @Nullable Waiter waiter;

    /** @param direct true if the dependents of the answer are the library's own, and may run in any thread */
    Ask(ActorBase asked, boolean direct) {
        this.asked = asked;
        this.direct = direct;
        CompletableFuture<?> unused = given.whenComplete(this::ended);
        if (!direct) {
            unused = answer.whenComplete((value, failure) -> given.cancel(false)); // the caller may complete it
        }
    }

    /** The future of the asked actor. */
    private final class Reply extends StackCheckedFuture<R> {
        @Override
        public String toString() {
            return "reply of " + asked;
        }
    }

    /** Returns the future that the asked actor completes. */
    CompletableFuture<R> given() {
        return given;
    }

    /** Returns the future of the caller. */
    CompletableFuture<R> answer() {
        return answer;
    }

    /** Ends this ask with a failure; returns false if it has ended before. */
    boolean failure(Throwable failure) {
        return given.completeExceptionally(failure);
    }

    boolean isDone() {
        return given.isDone();
    }

    private void ended(R value, @Nullable Throwable failure) {
        if (!done.compareAndSet(false, true)) {
            return;
        }
        asked.endListeners().remove(this);
        TimeLimit set = limit;
        if (set != null) {
            boolean unused = set.cancel();
            limit = null;
        }
        Waiter waiting = waiter;
        if (waiting != null) {
            boolean unused = asked.withdraw(waiting);
            waiter = null;
        }
        boolean inTurn = WorkerContext.current() != null && (failure == null || failure != expiry); // A3
        if (direct || !inTurn) {
            settle(value, failure);
        } else { // the dependents of the caller do not run in the turn of the actor
            OwnTasks.run(asked.group().pool(), asked.group().pool().lifetime(), own -> settle(value, failure));
        }
    }

    private void settle(R value, @Nullable Throwable failure) {
        boolean unused = failure == null ? answer.complete(value) : answer.completeExceptionally(failure);
    }

    /** Ends this ask, whose asker has ended. */
    void abandon() {
        boolean unused = given.cancel(false);
    }

    /**
     * Starts the time limit. Returns false if this ask has ended, since the asked actor has ended, no time limit could
     * be set, or the ask was completed.
     */
    boolean open(Duration time) {
        if (!asked.endListeners().add(this)) {
            boolean unused = failure(asked.stoppedException("an ask"));
            return false;
        }
        try {
            TimeLimit set = asked.group().pool().host().limit(Durations.toNanos(time), () -> expire(time), null);
            limit = set;
            if (done.get()) {
                boolean unused = set.cancel();
            }
        } catch (RejectedExecutionException e) {
            boolean unused = failure(e);
        }
        return !done.get();
    }

    private void expire(Duration time) {
        Throwable failure = unanswered(time);
        expiry = failure;
        boolean unused = failure(failure);
    }

    /** Returns the failure of an ask at its limit: a timeout, or the end of the actor by a {@code shutdownNow}. */
    private Throwable unanswered(Duration time) {
        return asked.group().isHalted()
                ? asked.stoppedException("an ask")
                : new TimeoutException("actor " + asked.name() + " did not answer within " + time);
    }

    /** Sets the waiter of the request, which is withdrawn when this ask ends. */
    void waitsAs(Waiter sending) {
        waiter = sending;
        if (done.get()) {
            boolean unused = asked.withdraw(sending);
        }
    }
}
