// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.internal.Durations;
import dev.spindle.internal.PartLimit;
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
 * first answer, by the time limit, or by the end of the actor that was asked. May be kept, handed on and used by any
 * thread.
 *
 * @param <R> the type of the answer
 */
public final class Reply<R extends @Nullable Object> {
    private final ActorCell<?> asked;
    private final CompletableFuture<R> answer = new CompletableFuture<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private volatile @Nullable PartLimit limit;
    private volatile @Nullable Waiter waiter;

    Reply(ActorCell<?> asked) {
        this.asked = asked;
    }

    /**
     * Answers. Dependents of the stage that {@code ask} returned run in the calling thread.
     *
     * @return false if an answer, or the end, has come before
     */
    public boolean success(R value) {
        return end() && answer.complete(value);
    }

    /**
     * Answers with a failure.
     *
     * @return false if an answer, or the end, has come before
     */
    public boolean failure(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        return end() && answer.completeExceptionally(PrintableFailure.of(failure));
    }

    /** Returns whether an answer would come too late. */
    public boolean isDone() {
        return done.get();
    }

    /** Releases everything that would end this reply otherwise; false if it has ended. */
    private boolean end() {
        Headroom.require();
        if (!done.compareAndSet(false, true)) {
            return false;
        }
        asked.links().answered(this);
        PartLimit set = limit;
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

    /** Ends this, since nobody waits for the answer any more. */
    void abandon() {
        boolean unused = end();
    }

    CompletableFuture<R> answer() {
        return answer;
    }

    /** Begins to wait for an answer; false when this has ended already. */
    boolean open(Duration time) {
        if (!asked.links().asked(this)) {
            boolean unused = failure(asked.stoppedException("an ask"));
            return false;
        }
        try {
            PartLimit set =
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

    /** Returns why there is no answer: the time has passed, or a {@code shutdownNow} has ended it. */
    private Throwable unanswered(Duration time) {
        return asked.group().isHalted()
                ? asked.stoppedException("an ask")
                : new TimeoutException("actor " + asked.name() + " did not answer within " + time);
    }

    /** Notes who waits for room with the request: whoever ends this withdraws it. */
    void waitsAs(Waiter sending) {
        waiter = sending;
        if (done.get()) {
            boolean unused = asked.withdraw(sending);
        }
    }

    /** Has the actor in whose outbox the request waits look there again when this has ended. */
    void waitsIn(Outbox outbox) {
        CompletableFuture<R> ignored = answer.whenComplete((value, failure) -> outbox.lookAgain());
    }

    @Override
    public String toString() {
        return "reply of " + asked;
    }
}
