// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Waiter;
import dev.spindle.internal.Durations;
import dev.spindle.internal.TimeLimit;
import dev.spindle.messaging.Headroom;
import dev.spindle.messaging.PrintableFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The place for the answer to a request, part of the message that an {@code ask} makes. It is completed once: by the
 * first answer, by the time limit, or by the end of the actor that was asked. It may be kept, passed on, and used by
 * any thread.
 *
 * @param <R> the type of the answer
 */
public final class Reply<R extends @Nullable Object> {
    private final ActorBase asked;
    private final CompletableFuture<R> answer = new CompletableFuture<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private volatile @Nullable TimeLimit limit;
    private volatile @Nullable Waiter waiter;

    Reply(ActorBase asked) {
        this.asked = asked;
    }

    /**
     * Completes the ask with {@code value}. Dependents of the stage that {@code ask} returned run in the calling
     * thread.
     *
     * @return false if the ask has been completed before
     */
    public boolean success(R value) {
        return end() && answer.complete(value);
    }

    /**
     * Completes the ask with a failure.
     *
     * @return false if the ask has been completed before
     */
    public boolean failure(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        return end() && answer.completeExceptionally(PrintableFailure.of(failure));
    }

    /** Returns whether the ask has been completed, so that an answer would come too late. */
    public boolean isDone() {
        return done.get();
    }

    /** Marks this reply as ended, and releases its limit and its waiter; returns false if it has ended before. */
    private boolean end() {
        Headroom.require();
        if (!done.compareAndSet(false, true)) {
            return false;
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
        return true;
    }

    /** Ends this reply, whose asker has ended. */
    void abandon() {
        boolean unused = end();
    }

    CompletableFuture<R> answer() {
        return answer;
    }

    /** Starts the time limit; returns false if this reply has ended already. */
    boolean open(Duration time) {
        if (!asked.endListeners().add(this)) {
            boolean unused = failure(asked.stoppedException("an ask"));
            return false;
        }
        try {
            TimeLimit set =
                    asked.group().pool().host().limit(Durations.toNanos(time), () -> failure(unanswered(time)), null);
            limit = set;
            if (done.get()) {
                boolean unused = set.cancel();
            }
        } catch (RejectedExecutionException e) {
            boolean unused = failure(e);
        }
        return !done.get();
    }

    /** Returns the failure of an ask at its limit: a timeout, or the end of the actor by a {@code shutdownNow}. */
    private Throwable unanswered(Duration time) {
        return asked.group().isHalted()
                ? asked.stoppedException("an ask")
                : new TimeoutException("actor " + asked.name() + " did not answer within " + time);
    }

    /** Sets the waiter of the request, which is withdrawn when this reply ends. */
    void waitsAs(Waiter sending) {
        waiter = sending;
        if (done.get()) {
            boolean unused = asked.withdraw(sending);
        }
    }

    @Override
    public String toString() {
        return "reply of " + asked;
    }
}
