// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.internal.UserCode;
import dev.spindle.internal.Headroom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A service that ends each call by its deadline. Static methods do this for services of users. */
abstract class TimedService<Q extends @Nullable Object, A extends @Nullable Object> implements Service<Q, A> {
    /** Returns the name for messages. Runs no user code. */
    String label() {
        return getClass().getName();
    }

    /** Returns the name of a service for messages. Runs no user code. */
    static String label(Service<?, ?> service) {
        return service instanceof TimedService<?, ?> timed
                ? timed.label()
                : service.getClass().getName();
    }

    /**
     * Calls a service. An exception that the service throws becomes the outcome, and a null future becomes a failure.
     */
    static <Q extends @Nullable Object, A extends @Nullable Object> CompletableFuture<Outcome<A>> call(
            Service<Q, A> service, Q request, Deadline deadline) {
        Throwable thrown;
        try {
            CompletableFuture<Outcome<A>> call = service.call(request, deadline);
            if (call != null) {
                return call;
            }
            thrown = new NullPointerException(label(service) + " returned null instead of a future");
        } catch (Throwable t) {
            thrown = t;
        }
        return CompletableFuture.completedFuture(Outcome.ofThrown(thrown));
    }

    /** Calls a service. The call ends by its deadline, even if a user has written the service. */
    static <Q extends @Nullable Object, A extends @Nullable Object> CompletableFuture<Outcome<A>> timed(
            Service<Q, A> service, Q request, Deadline deadline) {
        if (service instanceof TimedService<?, ?>) {
            return service.call(request, deadline);
        }
        if (deadline.isExpired()) {
            return tooLate(service);
        }
        Headroom.requireThrice();
        TimedCall<A> timed = new TimedCall<>(service, deadline);
        timed.begin();
        CompletableFuture<Outcome<A>> call = call(service, request, deadline);
        timed.put(call);
        CompletableFuture<?> unused = call.whenComplete((given, thrown) -> {
            Outcome<A> outcome = outcome(given, thrown);
            if (!timed.settle(outcome)) {
                discardOutcome(service, outcome);
            }
        });
        return timed.answer;
    }

    /** Returns the outcome of a call for which no time is left. */
    static <A extends @Nullable Object> CompletableFuture<Outcome<A>> tooLate(Service<?, ?> service) {
        return CompletableFuture.completedFuture(
                new Outcome.TimedOut<>(label(service) + " was not called: nothing of the deadline was left"));
    }

    /**
     * Returns the outcome of a future, which a service of a user may have completed exceptionally or with null.
     */
    static <A extends @Nullable Object> Outcome<A> outcome(@Nullable Outcome<A> outcome, @Nullable Throwable thrown) {
        if (thrown != null) {
            return Outcome.ofThrown(thrown);
        }
        return outcome != null
                ? outcome
                : new Outcome.Failed<>(new NullPointerException("a service gave null as outcome"));
    }

    static <A extends @Nullable Object> void discardAnswer(Service<?, A> service, A answer) {
        UserCode.guarded(() -> service.discard(answer));
    }

    static <A extends @Nullable Object> void discardOutcome(Service<?, A> service, Outcome<A> outcome) {
        if (outcome instanceof Outcome.Value<A> value) {
            discardAnswer(service, value.value());
        }
    }
}
