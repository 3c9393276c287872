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
            thrown = new NullPointerException(service + " returned null instead of a future");
        } catch (Throwable t) {
            thrown = t;
        }
        return CompletableFuture.completedFuture(Outcome.ofThrown(thrown));
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
