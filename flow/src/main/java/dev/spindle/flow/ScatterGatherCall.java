// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Spindle;
import dev.spindle.flow.internal.CallFuture;
import dev.spindle.flow.internal.Promise;
import dev.spindle.flow.internal.UserCode;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A call of a scatter-gather. */
final class ScatterGatherCall<Q extends @Nullable Object> {
    /*
     * The monitor guards outcomes, slots, values, open and decided. The other fields are written before the first
     * service is called. Services and their futures are called without the monitor.
     *
     * ScatterGatherCall-1  The outcome of a service is stored once, and only before the decision. A value that comes
     *                      after the decision is discarded.
     * ScatterGatherCall-2  The thread that decides cancels all calls in `slots`. A thread that starts a call stores the
     *     call in `slots` under the monitor; after the decision the thread cancels the call, or does not begin it.
     * ScatterGatherCall-3  The thread that decides cancels the calls before it completes the answer.
     * ScatterGatherCall-4  One timer acts at the deadline for services of users, and for endpoints of its spindle
     *                      without a shorter timeout. The timer is set before the first call, and the decision cancels
     *                      the timer.
     */
    final CallFuture<Outcome<Gathered>> answer = new CallFuture<>(this::abandon);
    private final Object owner;
    private final List<Service<? super Q, ?>> services;
    private final int needed;
    private final Deadline deadline;
    private final @Nullable Outcome<?>[] outcomes;
    private final @Nullable Slot<?>[] slots;
    private @Nullable Spindle watcher;
    private @Nullable TimeLimit timer;
    private long left;
    private int values;
    private int open;
    private boolean decided;

    ScatterGatherCall(Object owner, List<Service<? super Q, ?>> services, int needed, Deadline deadline) {
        this.owner = owner;
        this.services = services;
        this.needed = needed;
        this.deadline = deadline;
        open = services.size();
        outcomes = new Outcome<?>[open];
        slots = new Slot<?>[open];
    }

    void begin(Q request) {
        watch();
        for (int i = 0; i < services.size() && !isDecided(); i++) {
            begin(i, services.get(i), request);
        }
    }

    private void watch() {
        left = deadline.remainingNanos();
        try {
            timer = TimeLimits.set(deadline.spindle(), Duration.ofNanos(left), this::timeIsUp);
            watcher = deadline.spindle();
        } catch (RejectedExecutionException e) {
            // the spindle was shut down or could start no thread; the call then has no timer
        }
    }

    private boolean isWatched(Endpoint<?, ?> endpoint) {
        return endpoint.options.spindle == watcher && endpoint.options.timeoutNanos >= left;
    }

    private <A extends @Nullable Object> void begin(int index, Service<? super Q, A> service, Q request) {
        Slot<A> slot = new Slot<>(this, index);
        if (service instanceof Endpoint<? super Q, A> endpoint) {
            begin(slot, endpoint, request);
            return;
        }
        CompletableFuture<Outcome<A>> call = TimedService.call(service, request, deadline);
        slot.call = call;
        if (!put(slot)) {
            call.cancel(true);
        }
        CompletableFuture<?> unused = call.whenComplete((given, thrown) -> {
            Outcome<A> outcome = TimedService.outcome(given, thrown);
            if (!slot.settle(outcome)) { // ScatterGatherCall-1
                TimedService.discardOutcome(service, outcome);
            }
        });
    }

    private <R extends @Nullable Object, A extends @Nullable Object> void begin(
            Slot<A> slot, Endpoint<R, A> endpoint, R request) {
        Execution<R, A> execution = new Execution<>(endpoint, request, deadline, isWatched(endpoint));
        slot.execution = execution;
        if (put(slot)) {
            execution.begin(slot);
        }
    }

    /** Stores a call. Returns false, without an effect, after the decision. */
    private synchronized boolean put(Slot<?> slot) {
        if (!decided) {
            slots[slot.index] = slot;
        }
        return !decided;
    }

    private boolean ended(int index, Outcome<?> outcome) {
        List<Slot<?>> losers;
        boolean met;
        synchronized (this) {
            if (decided) {
                return false;
            }
            outcomes[index] = outcome;
            slots[index] = null;
            open--;
            values += outcome instanceof Outcome.Value<?> ? 1 : 0;
            met = values >= needed && (needed != ScatterGatherBuilder.BEST_EFFORT || open == 0);
            if (!met && values + open >= needed) {
                return true;
            }
            losers = decide();
        }
        cancel(losers); // ScatterGatherCall-2, ScatterGatherCall-3
        complete(met);
        return true;
    }

    /** Decides, and returns the calls to cancel. Called under the monitor. */
    private List<Slot<?>> decide() {
        decided = true;
        if (open == 0) {
            return List.of();
        }
        List<Slot<?>> losers = new ArrayList<>(open);
        boolean inTime = !deadline.isExpired();
        for (int i = 0; i < outcomes.length; i++) {
            Slot<?> slot = slots[i];
            if (slot != null) {
                losers.add(slot);
                slots[i] = null;
            }
            if (outcomes[i] == null) {
                outcomes[i] = inTime
                        ? new Outcome.Cancelled<>()
                        : new Outcome.TimedOut<>(TimedService.label(services.get(i)) + " was not answered in time");
            }
        }
        return losers;
    }

    private void cancel(List<Slot<?>> losers) {
        TimeLimit set = timer;
        if (set != null) {
            set.cancel(); // ScatterGatherCall-4
        }
        for (Slot<?> loser : losers) {
            UserCode.guarded(loser::cancel);
        }
    }

    /**
     * Decides if the deadline has passed. If the deadline has not passed, a {@code shutdownNow} has run the timer
     * early, and this method rejects the calls under way.
     */
    private void timeIsUp() {
        if (deadline.isExpired()) {
            decideLate();
            return;
        }
        List<Slot<?>> open = new ArrayList<>(slots.length);
        synchronized (this) {
            for (Slot<?> slot : slots) {
                if (slot != null) {
                    open.add(slot);
                }
            }
        }
        for (Slot<?> slot : open) {
            UserCode.onTime(slot::lose);
        }
    }

    /** Decides after the deadline. Services that have not answered are timed out, even if they were not called yet. */
    private void decideLate() {
        List<Slot<?>> losers;
        synchronized (this) {
            if (decided) {
                return;
            }
            losers = decide();
        }
        for (Slot<?> loser : losers) {
            UserCode.onTime(loser::cancel);
        }
        complete(needed == ScatterGatherBuilder.BEST_EFFORT);
    }

    /** Returns the outcomes. Called after the decision, when all outcomes are set and none changes. */
    @SuppressWarnings("NullAway")
    private List<Outcome<?>> outcomes() {
        return Collections.unmodifiableList(Arrays.asList(outcomes));
    }

    private void complete(boolean met) {
        Gathered gathered = new Gathered(owner, outcomes());
        Outcome<Gathered> outcome =
                met ? new Outcome.Value<>(gathered) : new Outcome.Failed<>(new UnmetException(needed, gathered));
        if (!answer.settle(outcome)) {
            discard(services, gathered.outcomes());
        }
    }

    private void abandon() {
        List<Slot<?>> losers;
        List<Outcome<?>> taken;
        synchronized (this) {
            if (decided) {
                return;
            }
            losers = decide();
            taken = outcomes();
        }
        cancel(losers);
        discard(services, taken);
    }

    private synchronized boolean isDecided() {
        return decided;
    }

    static <Q extends @Nullable Object> void discard(List<Service<? super Q, ?>> services, List<Outcome<?>> outcomes) {
        for (int i = 0; i < outcomes.size(); i++) {
            discardOne(services.get(i), outcomes.get(i));
        }
    }

    @SuppressWarnings("unchecked") // the outcome belongs to this service
    private static <A extends @Nullable Object> void discardOne(Service<?, A> service, Outcome<?> outcome) {
        TimedService.discardOutcome(service, (Outcome<A>) outcome);
    }

    /** The call of one service: the execution of an endpoint, or the future of another service. */
    private static final class Slot<A extends @Nullable Object> implements Promise<Outcome<A>> {
        private final ScatterGatherCall<?> gathering;
        private final int index;
        private @Nullable Execution<?, A> execution;
        private @Nullable CompletableFuture<Outcome<A>> call;

        Slot(ScatterGatherCall<?> gathering, int index) {
            this.gathering = gathering;
            this.index = index;
        }

        @Override
        public boolean settle(Outcome<A> outcome) {
            return gathering.ended(index, outcome);
        }

        /** Rejects the call after a shutdown of the spindle, which has ended the timers. */
        void lose() {
            String label = TimedService.label(gathering.services.get(index));
            if (settle(new Outcome.Rejected<>(label + " was given up: the spindle was shut down"))) {
                cancel();
            }
        }

        void cancel() {
            if (execution != null) {
                execution.abandon();
            } else if (call != null) {
                call.cancel(true);
            }
        }
    }
}
