// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A service with a time limit of its own. */
final class Within<Q extends @Nullable Object, A extends @Nullable Object> implements Service<Q, A> {
    final Service<Q, A> service;
    private final long limitNanos;

    Within(Service<Q, A> service, long limitNanos) {
        this.service = service;
        this.limitNanos = limitNanos;
    }

    @Override
    public CompletableFuture<Outcome<A>> call(Q request, Deadline deadline) {
        return Services.timed(service, request, deadline.withinNanos(limitNanos));
    }

    @Override
    public void discard(A answer) {
        service.discard(answer);
    }

    @Override
    public String toString() {
        return service.toString();
    }
}
