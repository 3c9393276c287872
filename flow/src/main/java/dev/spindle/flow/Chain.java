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
         * The monitor guards `current`, the call under way, and `abandoned`. Who goes on puts the next call down only
         * if the whole is not abandoned, and else cancels it; who abandons cancels the one that is there. So none is
         * left behind.
         */
        private final Answer<A> answer = new Answer<>(this::abandon);
        private final Service<?, M> first;
        private final Service<? super M, A> second;
        private final Deadline deadline;
        private @Nullable CompletableFuture<?> current;
        private boolean abandoned;

        Run(Service<?, M> first, Service<? super M, A> second, Deadline deadline) {
            this.first = first;
            this.second = second;
            this.deadline = deadline;
        }

        void begin(CompletableFuture<Outcome<M>> call) {
            put(call);
            CompletableFuture<?> unused =
                    call.whenComplete((outcome, thrown) -> goOn(Services.outcome(outcome, thrown)));
        }

        private void goOn(Outcome<M> outcome) {
            if (isAbandoned()) { // whoever did completes the answer
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
            put(call);
            CompletableFuture<?> unused = call.whenComplete((last, thrown) -> end(Services.outcome(last, thrown)));
        }

        private void end(Outcome<A> outcome) {
            if (isAbandoned() || !answer.settle(outcome)) {
                Services.discardOutcome(second, outcome);
            }
        }

        private void put(CompletableFuture<?> call) {
            synchronized (this) {
                if (!abandoned) {
                    current = call;
                    return;
                }
            }
            call.cancel(true);
        }

        private synchronized boolean isAbandoned() {
            return abandoned;
        }

        private void abandon() {
            CompletableFuture<?> call;
            synchronized (this) {
                abandoned = true;
                call = current;
                current = null;
            }
            if (call != null) {
                call.cancel(true);
            }
        }
    }
}
