// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Spindle;
import dev.spindle.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** One call of a scatter-gather. */
final class Gathering<Q extends @Nullable Object> {
    /*
     * The monitor guards outcomes, slots, values, open, decided and overdue. Services, and futures of theirs, are
     * touched outside it. What is left is written before the first call.
     *
     * Gathering-1  The outcome of a service is taken once, and only before the decision; afterwards a value is
     *              discarded.
     * Gathering-2  Who decides cancels all calls that are under way; who starts a call meanwhile finds the decision
     *              when they put it down, and cancels it, or does not begin it.
     * Gathering-3  The answer is completed by who decided, after the cancelling.
     * Gathering-4  One timer watches the deadline for all endpoints of one spindle that have no earlier limit, and for
     *              services of users. It is set before the first call, and cancelled with the decision. It tells all
     *              endpoints that are under way (Execution-5); one whose call is put down later is told before that
     *              begins. Then it decides: what has not ended has timed out, that which was not begun included.
     */
    final Answer<Gathered> answer = new Answer<>(this::abandon);
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
    private boolean overdue;

    Gathering(Object owner, List<Service<? super Q, ?>> services, int needed, Deadline deadline) {
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

    /** Sets the timer, if there is a spindle that has one. */
    private void watch() {
        left = deadline.remainingNanos();
        Spindle spindle = deadline.spindle();
        for (int i = 0; i < services.size() && spindle == null; i++) {
            spindle = services.get(i) instanceof Endpoint<?, ?> endpoint ? endpoint.options.spindle : null;
        }
        if (spindle == null) {
            return;
        }
        try {
            timer = TimeLimit.set(spindle, Duration.ofNanos(left), this::timeIsUp);
            watcher = spindle;
        } catch (RejectedExecutionException e) {
            // they find out by themselves
        }
    }

    private boolean isWatched(Endpoint<?, ?> endpoint) {
        return endpoint.options.spindle == watcher && endpoint.options.limitNanos >= left;
    }

    private <A extends @Nullable Object> void begin(int index, Service<? super Q, A> service, Q request) {
        Slot<A> slot = new Slot<>(this, index);
        if (service instanceof Endpoint<? super Q, A> endpoint) {
            begin(slot, endpoint, request);
            return;
        }
        CompletableFuture<Outcome<A>> call = Services.call(service, request, deadline);
        slot.call = call;
        if (!put(slot)) {
            call.cancel(true);
        }
        CompletableFuture<?> unused = call.whenComplete((given, thrown) -> {
            Outcome<A> outcome = Services.outcome(given, thrown);
            if (!slot.settle(outcome)) {
                Services.discardOutcome(service, outcome);
            }
        });
    }

    private <R extends @Nullable Object, A extends @Nullable Object> void begin(
            Slot<A> slot, Endpoint<R, A> endpoint, R request) {
        Execution<R, A> execution = new Execution<>(endpoint, request, deadline, isWatched(endpoint));
        slot.execution = execution;
        if (put(slot)) {
            if (isOverdue() && isWatched(endpoint)) {
                execution.timeIsUp();
            }
            execution.begin(slot);
        }
    }

    /** Puts a call down; false after the decision. */
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
            values += outcome.isValue() ? 1 : 0;
            met = values >= needed && (needed != ScatterGather.Builder.BEST_EFFORT || open == 0);
            if (!met && values + open >= needed) {
                return true;
            }
            losers = decide();
        }
        cancel(losers);
        complete(met);
        return true;
    }

    /** Under the monitor: lets nothing more in, and returns what is to be cancelled. */
    private List<Slot<?>> decide() {
        decided = true;
        if (open == 0) {
            return List.of();
        }
        List<Slot<?>> losers = new ArrayList<>(open);
        boolean inTime = !deadline.isUsedUp();
        for (int i = 0; i < outcomes.length; i++) {
            Slot<?> slot = slots[i];
            if (slot != null) {
                losers.add(slot);
                slots[i] = null;
            }
            if (outcomes[i] == null) {
                outcomes[i] = inTime
                        ? new Outcome.Cancelled<>()
                        : new Outcome.TimedOut<>(Services.name(services.get(i)) + " was not answered in time");
            }
        }
        return losers;
    }

    private void cancel(List<Slot<?>> losers) {
        TimeLimit set = timer;
        if (set != null) {
            set.cancel();
        }
        for (Slot<?> loser : losers) {
            Reports.guarded(loser::cancel);
        }
    }

    private void timeIsUp() {
        List<Slot<?>> late = new ArrayList<>(slots.length);
        synchronized (this) {
            overdue = true;
            for (Slot<?> slot : slots) {
                if (slot != null) {
                    late.add(slot);
                }
            }
        }
        for (Slot<?> slot : late) {
            Execution<?, ?> execution = slot.execution;
            if (execution != null && isWatched(execution.endpoint)) {
                Reports.onTime(execution::timeIsUp);
            }
        }
        if (deadline.isUsedUp()) {
            decideLate();
        } else if (watcher != null && watcher.isShutdown()) {
            for (Slot<?> slot : late) {
                Reports.onTime(slot::lose);
            }
        }
    }

    /** The deadline ends it all, services of users and those that were not begun included. */
    private void decideLate() {
        List<Slot<?>> losers;
        synchronized (this) {
            if (decided) {
                return;
            }
            losers = decide();
        }
        cancel(losers);
        complete(needed == ScatterGather.Builder.BEST_EFFORT);
    }

    /** After the decision: all are there, and none changes. */
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

    private synchronized boolean isOverdue() {
        return overdue;
    }

    static <Q extends @Nullable Object> void discard(List<Service<? super Q, ?>> services, List<Outcome<?>> outcomes) {
        for (int i = 0; i < outcomes.size(); i++) {
            discardOne(services.get(i), outcomes.get(i));
        }
    }

    @SuppressWarnings("unchecked") // the outcome is that of this service
    private static <A extends @Nullable Object> void discardOne(Service<?, A> service, Outcome<?> outcome) {
        Services.discardOutcome(service, (Outcome<A>) outcome);
    }

    /** The place of one call: that of an endpoint, or another service's future. */
    private static final class Slot<A extends @Nullable Object> implements Receiver<A> {
        private final Gathering<?> gathering;
        private final int index;
        private @Nullable Execution<?, A> execution;
        private @Nullable CompletableFuture<Outcome<A>> call;

        Slot(Gathering<?> gathering, int index) {
            this.gathering = gathering;
            this.index = index;
        }

        @Override
        public boolean settle(Outcome<A> outcome) {
            return gathering.ended(index, outcome);
        }

        /** The clock of a service of the user's own is gone. */
        void lose() {
            CompletableFuture<Outcome<A>> of = call;
            if (of != null && settle(new Outcome.Rejected<>("a call was given up: the spindle was shut down"))) {
                of.cancel(true);
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
