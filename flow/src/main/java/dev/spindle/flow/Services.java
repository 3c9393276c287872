// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Calls of services that users may have written. */
final class Services {
    private Services() {}

    /** Makes a call; whatever it throws is an outcome. */
    static <Q extends @Nullable Object, A extends @Nullable Object> CompletableFuture<Outcome<A>> call(
            Service<Q, A> service, Q request, Deadline deadline) {
        Throwable thrown;
        try {
            CompletableFuture<Outcome<A>> call = service.call(request, deadline);
            if (call != null) {
                return call;
            }
            thrown = new NullPointerException(name(service) + " returned null instead of a future");
        } catch (Throwable t) {
            thrown = t;
        }
        return CompletableFuture.completedFuture(Outcome.ofThrown(thrown));
    }

    /** Makes a call that ends by its deadline, whoever has written the service. */
    static <Q extends @Nullable Object, A extends @Nullable Object> CompletableFuture<Outcome<A>> timed(
            Service<Q, A> service, Q request, Deadline deadline) {
        if (isOwn(service)) {
            return service.call(request, deadline);
        }
        if (deadline.isUsedUp()) {
            return tooLate(service);
        }
        Headroom.forACall();
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

    /** Returns whether the service is of this package, and so ends by its deadline. */
    private static boolean isOwn(Service<?, ?> service) {
        return service instanceof Endpoint<?, ?>
                || service instanceof ScatterGather<?>
                || service instanceof Chain<?, ?, ?>
                || service instanceof Within<?, ?>
                || service instanceof From<?, ?, ?>;
    }

    /** Returns the outcome of a call for which no time is left. */
    static <A extends @Nullable Object> CompletableFuture<Outcome<A>> tooLate(Service<?, ?> service) {
        return CompletableFuture.completedFuture(
                new Outcome.TimedOut<>(name(service) + " was not called: nothing of the deadline was left"));
    }

    /** Returns what to call a service in messages: the name of an endpoint, else of a class. Runs no code of users. */
    static String name(Service<?, ?> service) {
        Service<?, ?> of = service;
        for (; ; ) {
            if (of instanceof Within<?, ?> within) {
                of = within.service;
            } else if (of instanceof From<?, ?, ?> from) {
                of = from.service;
            } else {
                return of instanceof Endpoint<?, ?>
                        ? of.toString()
                        : of.getClass().getName();
            }
        }
    }

    /** Returns the outcome of a call's future, which services of users may complete as they like. */
    static <A extends @Nullable Object> Outcome<A> outcome(@Nullable Outcome<A> outcome, @Nullable Throwable thrown) {
        if (thrown != null) {
            return Outcome.ofThrown(thrown);
        }
        return outcome != null
                ? outcome
                : new Outcome.Failed<>(new NullPointerException("a service gave null as outcome"));
    }

    static <A extends @Nullable Object> void discard(Service<?, A> service, A answer) {
        Reports.guarded(() -> service.discard(answer));
    }

    static <A extends @Nullable Object> void discardOutcome(Service<?, A> service, Outcome<A> outcome) {
        if (outcome instanceof Outcome.Value<A> value) {
            discard(service, value.value());
        }
    }
}
