// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.Headroom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A service that calls one service, and then another service with the answer of the first. */
final class Chain<Q extends @Nullable Object, M extends @Nullable Object, A extends @Nullable Object>
        extends TimedService<Q, A> {
    private final Service<Q, M> first;
    private final Service<? super M, A> second;

    Chain(Service<Q, M> first, Service<? super M, A> second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public CompletableFuture<Outcome<A>> call(Q request, Deadline deadline) {
        if (requireNonNull(deadline, "deadline").isExpired()) {
            return tooLate(first);
        }
        Headroom.requireThrice();
        TimedCall<A> run = new TimedCall<>(first, deadline);
        run.begin(); // TimedCall-3
        CompletableFuture<Outcome<M>> call = TimedService.call(first, request, deadline);
        run.put(call);
        CompletableFuture<?> unused =
                call.whenComplete((outcome, thrown) -> goOn(run, outcome(outcome, thrown), deadline));
        return run.answer;
    }

    private void goOn(TimedCall<A> run, Outcome<M> outcome, Deadline deadline) {
        Headroom.requireTwice();
        if (!run.next(second)) {
            discardOutcome(first, outcome);
            return;
        }
        if (!(outcome instanceof Outcome.Value<M> value)) {
            run.settle(withoutValue(outcome));
            return;
        }
        if (deadline.isExpired()) {
            discardAnswer(first, value.value());
            run.settle(new Outcome.TimedOut<>(label(second) + " was not called: nothing of the deadline was left"));
            return;
        }
        CompletableFuture<Outcome<A>> call = TimedService.call(second, value.value(), deadline);
        run.put(call);
        CompletableFuture<?> unused = call.whenComplete((last, thrown) -> end(run, outcome(last, thrown)));
    }

    @SuppressWarnings("unchecked")
    private static <R extends @Nullable Object> Outcome<R> withoutValue(Outcome<?> outcome) {
        return (Outcome<R>) outcome;
    }

    private void end(TimedCall<A> run, Outcome<A> outcome) {
        if (!run.settle(outcome)) {
            discardOutcome(second, outcome);
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
