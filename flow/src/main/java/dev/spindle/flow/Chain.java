// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

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
        Run<M, A> run = new Run<>(first, second, deadline);
        run.begin(Services.call(first, request, deadline));
        return run.answer;
    }

    @Override
    public void discard(A answer) {
        second.discard(answer);
    }

    @Override
    public String toString() {
        return first + ", then " + second;
    }

    /** One call. */
    private static final class Run<M extends @Nullable Object, A extends @Nullable Object> {
        /*
         * `current` is the call under way. Who goes on to the second call writes `current` and then reads `abandoned`; who
         * abandons writes `abandoned` and then reads `current`. Both are volatile, so one of them sees the other, and no call
         * is left behind.
         */
        private final Answer<A> answer = new Answer<>(this::abandon);
        private final Service<?, M> first;
        private final Service<? super M, A> second;
        private final Deadline deadline;
        private volatile @Nullable CompletableFuture<?> current;
        private volatile boolean abandoned;

        Run(Service<?, M> first, Service<? super M, A> second, Deadline deadline) {
            this.first = first;
            this.second = second;
            this.deadline = deadline;
        }

        void begin(CompletableFuture<Outcome<M>> call) {
            current = call;
            CompletableFuture<?> unused =
                    call.whenComplete((outcome, thrown) -> goOn(Services.outcome(outcome, thrown)));
        }

        private void goOn(Outcome<M> outcome) {
            if (abandoned) { // whoever did completes the answer
                Services.discardOutcome(first, outcome);
                return;
            }
            if (!(outcome instanceof Outcome.Value<M> value)) {
                answer.settle(Outcomes.cast(outcome));
                return;
            }
            if (deadline.isUsedUp()) {
                Services.discard(first, value.value());
                answer.settle(new Outcome.TimedOut<>(second + " was not called: nothing of the deadline was left"));
                return;
            }
            CompletableFuture<Outcome<A>> call = Services.call(second, value.value(), deadline);
            current = call;
            if (abandoned) {
                call.cancel(true);
            }
            CompletableFuture<?> unused = call.whenComplete((last, thrown) -> end(Services.outcome(last, thrown)));
        }

        private void end(Outcome<A> outcome) {
            if (abandoned || !answer.settle(outcome)) {
                Services.discardOutcome(second, outcome);
            }
        }

        private void abandon() {
            abandoned = true;
            CompletableFuture<?> call = current;
            if (call != null) {
                call.cancel(true);
            }
        }
    }
}
