// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One call of a scatter-gather. */
final class Gathering<Q extends @Nullable Object> {
    /*
     * The monitor guards outcomes, calls, values, open and decided. Services, and futures of theirs, are touched
     * outside it.
     *
     * Gathering-1  The outcome of a service is taken once, and only before the decision; afterwards a value is
     *              discarded.
     * Gathering-2  Who decides cancels all calls that are under way; who starts a call meanwhile finds the decision
     *              when they put it down, and cancels it.
     * Gathering-3  The answer is completed by who decided, after the cancelling.
     */
    final Answer<Gathered> answer = new Answer<>(this::abandon);
    private final Object owner;
    private final List<Service<? super Q, ?>> services;
    private final int needed;
    private final Deadline deadline;
    private final @Nullable Outcome<?>[] outcomes;
    private final @Nullable CompletableFuture<?>[] calls;
    private int values;
    private int open;
    private boolean decided;

    Gathering(Object owner, List<Service<? super Q, ?>> services, int needed, Deadline deadline) {
        this.owner = owner;
        this.services = services;
        this.needed = needed;
        this.deadline = deadline;
        open = services.size();
        outcomes = new Outcome<?>[open];
        calls = new CompletableFuture<?>[open];
    }

    void begin(Q request) {
        for (int i = 0; i < services.size() && !isDecided(); i++) {
            begin(i, services.get(i), request);
        }
    }

    private <A extends @Nullable Object> void begin(int index, Service<? super Q, A> service, Q request) {
        CompletableFuture<Outcome<A>> call = Services.call(service, request, deadline);
        boolean late;
        synchronized (this) {
            late = decided;
            if (!late) {
                calls[index] = call;
            }
        }
        if (late) {
            call.cancel(true);
        }
        CompletableFuture<?> unused =
                call.whenComplete((outcome, thrown) -> ended(index, service, Services.outcome(outcome, thrown)));
    }

    private <A extends @Nullable Object> void ended(int index, Service<? super Q, A> service, Outcome<A> outcome) {
        @Nullable CompletableFuture<?>[] losers = new CompletableFuture<?>[0];
        boolean late;
        boolean met = false;
        boolean decides = false;
        synchronized (this) {
            late = decided;
            if (!late) {
                outcomes[index] = outcome;
                calls[index] = null;
                open--;
                values += outcome.isValue() ? 1 : 0;
                met = values >= needed && (needed != ScatterGather.Builder.BEST_EFFORT || open == 0);
                decides = met || values + open < needed;
                if (decides) {
                    losers = decide();
                }
            }
        }
        if (late) {
            Services.discardOutcome(service, outcome);
        } else if (decides) {
            cancel(losers);
            complete(met);
        }
    }

    /** Under the monitor: lets nothing more in, and returns what is to be cancelled. */
    private @Nullable CompletableFuture<?>[] decide() {
        decided = true;
        @Nullable CompletableFuture<?>[] losers = calls.clone();
        Arrays.fill(calls, null);
        boolean inTime = !deadline.isUsedUp();
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] == null) {
                outcomes[i] = inTime
                        ? new Outcome.Cancelled<>()
                        : new Outcome.TimedOut<>(services.get(i) + " was not answered in time");
            }
        }
        return losers;
    }

    private static void cancel(@Nullable CompletableFuture<?>[] losers) {
        for (CompletableFuture<?> loser : losers) {
            if (loser != null) {
                Reports.guarded(() -> loser.cancel(true));
            }
        }
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
        @Nullable CompletableFuture<?>[] losers;
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

    @SuppressWarnings("unchecked") // the outcome is that of this service
    private static <A extends @Nullable Object> void discardOne(Service<?, A> service, Outcome<?> outcome) {
        Services.discardOutcome(service, (Outcome<A>) outcome);
    }
}
