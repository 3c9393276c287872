// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.internal.CallFuture;
import dev.spindle.flow.internal.UserCode;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A sequence of calls that is answered by its deadline, even if one of the services blocks or never answers. */
final class TimedCall<A extends @Nullable Object> {
    /*
     * The monitor guards the fields that change.
     *
     * TimedCall-1  The sequence ends once: by the last outcome, by its timer, or by its caller. The thread that ends it
     *              cancels the timer. The timer and the caller also cancel the call under way.
     * TimedCall-2  `current` is null after the end. A thread that starts a call after the end cancels this call.
     * TimedCall-3  The timer is set before the first service is called. So neither a service that blocks, nor a
     *              callback that does not run after a stack overflow, delays the answer past the deadline.
     */
    final CallFuture<Outcome<A>> answer = new CallFuture<>(this::abandon);
    private final Deadline deadline;
    private Service<?, ?> service;
    private @Nullable CompletableFuture<?> current;
    private @Nullable TimeLimit timer;
    private boolean ended;

    TimedCall(Service<?, ?> first, Deadline deadline) {
        service = first;
        this.deadline = deadline;
    }

    /** Sets the timer. Called before the first service is called. */
    void begin() {
        TimeLimit set;
        try {
            set = TimeLimits.set(deadline.spindle(), deadline.remaining(), this::timeIsUp);
        } catch (RejectedExecutionException e) {
            return; // the spindle was shut down or could start no thread; the sequence then has no timer
        }
        synchronized (this) {
            if (!ended) {
                timer = set;
                return;
            }
        }
        set.cancel();
    }

    /** Continues with the next service. Returns false after the end. */
    synchronized boolean next(Service<?, ?> next) {
        service = next;
        return !ended;
    }

    /** Makes {@code call} the current call, or cancels {@code call} after the end. */
    void put(CompletableFuture<?> call) {
        synchronized (this) {
            if (!ended) {
                current = call;
                return;
            }
        }
        cancel(call); // TimedCall-2
    }

    /**
     * Ends with the outcome of the last call. Returns false if the sequence has ended before; the outcome is then not
     * used.
     */
    boolean settle(Outcome<A> outcome) {
        return end(false) && answer.settle(outcome);
    }

    private void abandon() {
        boolean unused = end(true);
    }

    private void timeIsUp() {
        boolean lost = deadline.spindle().isShutdown() && !deadline.isExpired();
        String name = label();
        if (end(true)) {
            answer.settle(
                    lost
                            ? new Outcome.Rejected<>(name + " was given up: the spindle was shut down")
                            : new Outcome.TimedOut<>(name + " was not answered in time"));
        }
    }

    private synchronized String label() {
        return TimedService.label(service);
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
        if (set != null) { // TimedCall-1
            set.cancel();
        }
        if (cancels && call != null) {
            cancel(call);
        }
        return true;
    }

    private static void cancel(CompletableFuture<?> call) {
        UserCode.guarded(() -> call.cancel(true));
    }
}
