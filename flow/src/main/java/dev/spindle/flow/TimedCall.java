// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Spindle;
import dev.spindle.TimeLimit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** An answer that comes by its deadline, whatever the services behind it do: calls of them, one after another. */
final class TimedCall<A extends @Nullable Object> {
    /*
     * The monitor guards the fields that change.
     *
     * TimedCall-1  It ends once: by the last outcome, by its timer, or by its caller. The thread that ends it takes the
     *              call under way, which it cancels, and the timer.
     * TimedCall-2  A call is put down only before the end; a thread that comes later with one cancels it.
     * TimedCall-3  The timer is set before the first service is called: a service that blocks, or never answers, or a
     *              callback that gets lost for want of stack, holds up no answer past the deadline.
     */
    final Answer<A> answer = new Answer<>(this::abandon);
    private final Deadline deadline;
    private Service<?, ?> service;
    private @Nullable CompletableFuture<?> current;
    private @Nullable TimeLimit timer;
    private boolean ended;

    TimedCall(Service<?, ?> first, Deadline deadline) {
        service = first;
        this.deadline = deadline;
    }

    /** Sets the timer, if there is a spindle that has one. */
    void begin() {
        Spindle spindle = deadline.spindle();
        if (spindle == null) {
            return;
        }
        TimeLimit set;
        try {
            set = TimeLimit.set(spindle, deadline.remaining(), this::timeIsUp);
        } catch (RejectedExecutionException e) {
            return; // after a shutdown; endpoints reject what they are asked
        }
        synchronized (this) {
            if (!ended) {
                timer = set;
                return;
            }
        }
        set.cancel();
    }

    /** Goes on with the next service; false after the end. */
    synchronized boolean next(Service<?, ?> next) {
        service = next;
        return !ended;
    }

    /** Takes the call that is under way from now on. */
    void put(CompletableFuture<?> call) {
        synchronized (this) {
            if (!ended) {
                current = call;
                return;
            }
        }
        cancel(call);
    }

    /** Ends with the outcome of the last call; false if it has ended, and there is no use for it. */
    boolean settle(Outcome<A> outcome) {
        return end(false) && answer.settle(outcome);
    }

    private void abandon() {
        boolean unused = end(true);
    }

    private void timeIsUp() {
        Spindle spindle = deadline.spindle();
        boolean lost = spindle != null && spindle.isShutdown() && !deadline.isUsedUp();
        String name = name();
        if (end(true)) {
            answer.settle(
                    lost
                            ? new Outcome.Rejected<>(name + " was given up: the spindle was shut down")
                            : new Outcome.TimedOut<>(name + " was not answered in time"));
        }
    }

    private synchronized String name() {
        return Services.name(service);
    }

    private boolean end(boolean cancels) {
        CompletableFuture<?> call;
        TimeLimit set;
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
            call = current;
            current = null;
            set = timer;
            timer = null;
        }
        if (set != null) {
            set.cancel();
        }
        if (cancels && call != null) {
            cancel(call);
        }
        return true;
    }

    private static void cancel(CompletableFuture<?> call) {
        Reports.guarded(() -> call.cancel(true));
    }
}
