// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Two services, one after the other. */
final class Chain<Q extends @Nullable Object, M extends @Nullable Object, A extends @Nullable Object>
        implements Service<Q, A> {
    private final Service<Q, M> first;
    private final Service<? super M, A> second;

    Chain(Service<Q, M> first, Service<? super M, A> second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public CompletableFuture<Outcome<A>> call(Q request, Deadline deadline) {
        if (requireNonNull(deadline, "deadline").isUsedUp()) {
            return Services.tooLate(first);
        }
        Headroom.forACall();
        TimedCall<A> run = new TimedCall<>(first, deadline);
        run.begin();
        CompletableFuture<Outcome<M>> call = Services.call(first, request, deadline);
        run.put(call);
        CompletableFuture<?> unused =
                call.whenComplete((outcome, thrown) -> goOn(run, Services.outcome(outcome, thrown), deadline));
        return run.answer;
    }

    private void goOn(TimedCall<A> run, Outcome<M> outcome, Deadline deadline) {
        Headroom.forOneStep();
        if (!run.next(second)) {
            Services.discardOutcome(first, outcome);
            return;
        }
        if (!(outcome instanceof Outcome.Value<M> value)) {
            run.settle(Outcomes.cast(outcome));
            return;
        }
        if (deadline.isUsedUp()) {
            Services.discard(first, value.value());
            run.settle(new Outcome.TimedOut<>(
                    Services.name(second) + " was not called: nothing of the deadline was left"));
            return;
        }
        CompletableFuture<Outcome<A>> call = Services.call(second, value.value(), deadline);
        run.put(call);
        CompletableFuture<?> unused = call.whenComplete((last, thrown) -> end(run, Services.outcome(last, thrown)));
    }

    private void end(TimedCall<A> run, Outcome<A> outcome) {
        if (!run.settle(outcome)) {
            Services.discardOutcome(second, outcome);
        }
    }

    @Override
    public void discard(A answer) {
        second.discard(answer);
    }

    @Override
    public String toString() {
        return first + ", then " + second;
    }
}
