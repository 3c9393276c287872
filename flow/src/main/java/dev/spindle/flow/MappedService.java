// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A service that calls another service with a request that a function makes from its own request. */
final class MappedService<R extends @Nullable Object, Q extends @Nullable Object, A extends @Nullable Object>
        extends TimedService<R, A> {
    private final Service<Q, A> service;
    private final Function<? super R, ? extends Q> function;

    MappedService(Service<Q, A> service, Function<? super R, ? extends Q> function) {
        this.service = service;
        this.function = function;
    }

    @Override
    public CompletableFuture<Outcome<A>> call(R request, Deadline deadline) {
        Q own;
        try {
            own = function.apply(request);
        } catch (Throwable t) {
            return CompletableFuture.completedFuture(new Outcome.Failed<>(t));
        }
        return timed(service, own, deadline);
    }

    @Override
    public void discard(A answer) {
        service.discard(answer);
    }

    @Override
    String label() {
        return label(service);
    }

    @Override
    public String toString() {
        return service.toString();
    }
}
