// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A builder for a {@link ScatterGather}. By default all values are needed, so the first service that ends without a
 * value decides the answer. Each call of {@link #quorum}, {@link #firstSuccess} or {@link #bestEffort} replaces the
 * previous one. A builder is not thread-safe, and services cannot be added after {@link #build}.
 *
 * @param <Q> the type of the requests
 */
public final class ScatterGatherBuilder<Q extends @Nullable Object> {
    static final int ALL = -1;
    static final int BEST_EFFORT = 0;

    int needed = ALL;
    final List<Service<? super Q, ?>> services = new ArrayList<>();
    private boolean built;

    ScatterGatherBuilder() {}

    /**
     * Sets the number of values that are needed, from any of the services.
     *
     * @throws IllegalArgumentException if {@code values} is below 1
     */
    public ScatterGatherBuilder<Q> quorum(int values) {
        if (values < 1) {
            throw new IllegalArgumentException("values must be at least 1, is " + values);
        }
        needed = values;
        return this;
    }

    /** Sets that one value is needed, from any of the services. */
    public ScatterGatherBuilder<Q> firstSuccess() {
        return quorum(1);
    }

    /** Sets that no value is needed: the answer comes when all services have answered, or at the deadline. */
    public ScatterGatherBuilder<Q> bestEffort() {
        needed = BEST_EFFORT;
        return this;
    }

    /**
     * Adds a service, and returns the handle of the service for {@link Gathered#outcome}. {@link Service#compose}
     * adapts a service that takes other requests.
     *
     * @throws IllegalStateException if {@link #build} was called
     */
    public <A extends @Nullable Object> Part<A> add(Service<? super Q, A> service) {
        if (built) {
            throw new IllegalStateException("this builder was used");
        }
        services.add(requireNonNull(service, "service"));
        return new Part<>(this, services.size() - 1);
    }

    /**
     * Returns a new scatter-gather.
     *
     * @throws IllegalStateException if there is no service, or there are fewer services than needed values
     */
    public ScatterGather<Q> build() {
        if (services.isEmpty() || services.size() < needed) {
            throw new IllegalStateException(
                    "needs at least " + Math.max(1, needed) + " services, has " + services.size());
        }
        built = true;
        return new ScatterGather<>(this);
    }
}
