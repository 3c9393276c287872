// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link ScatterGather}. By default all values are needed: the first call that ends without a value decides
 * the answer. The last of {@link #quorum}, {@link #firstSuccess} and {@link #bestEffort} counts. Not thread-safe; used
 * once.
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
     * Sets that {@code values} values are needed, from any of the services.
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

    /** Sets that no value is needed: the answer has the outcomes that exist at the deadline. */
    public ScatterGatherBuilder<Q> bestEffort() {
        needed = BEST_EFFORT;
        return this;
    }

    /**
     * Adds a service, and returns the part by which its outcome is found. {@link Service#compose} adapts a service that
     * takes other requests.
     *
     * @throws IllegalStateException if the scatter-gather is built
     */
    public <A extends @Nullable Object> Part<A> add(Service<? super Q, A> service) {
        if (built) {
            throw new IllegalStateException("this builder was used");
        }
        services.add(requireNonNull(service, "service"));
        return new Part<>(this, services.size() - 1);
    }

    /**
     * Returns the scatter-gather.
     *
     * @throws IllegalStateException if there is no service, or fewer than the values that are needed
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
