// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.flow.internal.Headroom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A service that makes several calls at once, and answers when enough of them have been answered. Built once, and
 * called any number of times.
 *
 * <pre>{@code
 * ScatterGather.Builder<Long> builder = ScatterGather.all();
 * Part<User> user = builder.add(users);                       // Service<Long, User>
 * Part<List<Order>> orders = builder.add(ordersOfUser);       // Service<Long, List<Order>>
 * ScatterGather<Long> page = builder.build();
 *
 * CompletableFuture<Outcome<Gathered>> answer = page.call(7L, Deadline.after(spindle, Duration.ofMillis(500)));
 * Gathered gathered = answer.join().orThrow();
 * show(gathered.value(user), gathered.value(orders));
 * }</pre>
 *
 * <p>A policy sets how many values are needed: {@link #all}, {@link #quorum}, {@link #firstSuccess}. The answer comes
 * as soon as there are that many. As soon as there can no longer be that many, it is {@link Outcome.Failed} with an
 * {@link UnmetException}, which has the outcomes. {@link #bestEffort} waits for each service until the deadline, and
 * its answer is always a value. Calls that are no longer needed are cancelled before the answer completes, and their
 * outcome is {@link Outcome.Cancelled}; answers that they still give are {@linkplain Service#discard discarded}.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. The caller calls the services one after another;
 * a service that blocks delays the others.
 *
 * <p><b>Cost.</b> A call takes time and memory in proportion to the services. It has one timer, which all
 * {@linkplain Endpoint endpoints} use whose limit is not before the deadline. The timer also ends services of users
 * that have not answered by the deadline.
 *
 * @param <Q> the type of the requests
 */
public final class ScatterGather<Q extends @Nullable Object> extends TimedService<Q, Gathered> {
    private final Object owner;
    private final List<Service<? super Q, ?>> services;
    private final int needed;

    private ScatterGather(Builder<Q> options) {
        owner = options;
        services = List.copyOf(options.services);
        needed = options.needed == Builder.ALL ? services.size() : options.needed;
    }

    /** Returns a builder: all values are needed. The first call that ends without a value decides the answer. */
    public static <Q extends @Nullable Object> Builder<Q> all() {
        return new Builder<>(Builder.ALL);
    }

    /**
     * Returns a builder: {@code values} values are needed, from any of the services.
     *
     * @throws IllegalArgumentException if {@code values} is below 1
     */
    public static <Q extends @Nullable Object> Builder<Q> quorum(int values) {
        if (values < 1) {
            throw new IllegalArgumentException("values must be at least 1, is " + values);
        }
        return new Builder<>(values);
    }

    /** Returns a builder: one value is needed, from any of the services. */
    public static <Q extends @Nullable Object> Builder<Q> firstSuccess() {
        return quorum(1);
    }

    /** Returns a builder: no value is needed, and the answer has the outcomes that exist at the deadline. */
    public static <Q extends @Nullable Object> Builder<Q> bestEffort() {
        return new Builder<>(Builder.BEST_EFFORT);
    }

    @Override
    public CompletableFuture<Outcome<Gathered>> call(Q request, Deadline deadline) {
        if (requireNonNull(deadline, "deadline").isUsedUp()) {
            return CompletableFuture.completedFuture(
                    new Outcome.TimedOut<>("nothing was called: nothing of the deadline was left"));
        }
        Headroom.forACall();
        ScatterGatherCall<Q> gathering = new ScatterGatherCall<>(owner, services, needed, deadline);
        gathering.begin(request);
        return gathering.answer;
    }

    @Override
    public void discard(Gathered answer) {
        ScatterGatherCall.discard(services, answer.outcomes());
    }

    /** Returns a string with the policy and the services. */
    @Override
    public String toString() {
        return (needed == Builder.BEST_EFFORT ? "best effort" : needed + " values") + " of " + services;
    }

    /**
     * Builds a scatter-gather. Not thread-safe; used once.
     *
     * @param <Q> the type of the requests
     */
    public static final class Builder<Q extends @Nullable Object> {
        static final int ALL = -1;
        static final int BEST_EFFORT = 0;

        private final int needed;
        private final List<Service<? super Q, ?>> services = new ArrayList<>();
        private boolean built;

        private Builder(int needed) {
            this.needed = needed;
        }

        /**
         * Adds a service, and returns the part by which its outcome is found. {@link Service#from} adapts a service
         * that takes other requests.
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
}
