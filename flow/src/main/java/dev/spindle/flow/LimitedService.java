// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A service that calls another service with its own timeout. */
final class LimitedService<Q extends @Nullable Object, A extends @Nullable Object> extends TimedService<Q, A> {
    private final Service<Q, A> service;
    private final long timeoutNanos;

    LimitedService(Service<Q, A> service, long timeoutNanos) {
        this.service = service;
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    public CompletableFuture<Outcome<A>> call(Q request, Deadline deadline) {
        return timed(service, request, deadline.withinNanos(timeoutNanos));
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
