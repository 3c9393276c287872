// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.Headroom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A service that calls several services at once, and answers when enough of them have answered. It may be called any
 * number of times.
 *
 * <pre>{@code
 * ScatterGatherBuilder<Long> builder = ScatterGather.builder();
 * Part<User> user = builder.add(users);                       // Service<Long, User>
 * Part<List<Order>> orders = builder.add(ordersOfUser);       // Service<Long, List<Order>>
 * ScatterGather<Long> page = builder.build();
 *
 * CompletableFuture<Outcome<Gathered>> answer = page.call(7L, Deadline.after(spindle, Duration.ofMillis(500)));
 * Gathered gathered = answer.join().orThrow();
 * show(gathered.value(user), gathered.value(orders));
 * }</pre>
 *
 * <p>By default all values are needed; {@link ScatterGatherBuilder#quorum quorum} and
 * {@link ScatterGatherBuilder#firstSuccess firstSuccess} set a smaller number. As soon as there are enough values, the
 * answer is a {@link Outcome.Value}. As soon as too few services can still give a value, the answer is
 * {@link Outcome.Failed} with an {@link UnmetException}. With {@link ScatterGatherBuilder#bestEffort bestEffort} the
 * scatter-gather waits for each service until the deadline, and the answer is always a value.
 *
 * <p>Before the answer completes, calls that are no longer needed are cancelled, and their outcome is
 * {@link Outcome.Cancelled}. If such a call still returns an answer, the answer is
 * {@linkplain Service#discard discarded}.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. The calling thread calls the services one after
 * another; a service that blocks delays the services after it.
 *
 * <p><b>Cost.</b> A call takes time and memory in proportion to the number of services. One timer ends all services
 * at the deadline, except {@linkplain Endpoint endpoints} with a shorter timeout, which set their own timers.
 *
 * @param <Q> the type of the requests
 */
public final class ScatterGather<Q extends @Nullable Object> extends TimedService<Q, Gathered> {
    private final Object owner;
    private final List<Service<? super Q, ?>> services;
    private final int needed;

    ScatterGather(ScatterGatherBuilder<Q> options) {
        owner = options;
        services = List.copyOf(options.services);
        needed = options.needed == ScatterGatherBuilder.ALL ? services.size() : options.needed;
    }

    /** Returns a builder, to which services are added. */
    public static <Q extends @Nullable Object> ScatterGatherBuilder<Q> builder() {
        return new ScatterGatherBuilder<>();
    }

    @Override
    public CompletableFuture<Outcome<Gathered>> call(Q request, Deadline deadline) {
        if (requireNonNull(deadline, "deadline").isExpired()) {
            return CompletableFuture.completedFuture(
                    new Outcome.TimedOut<>("nothing was called: nothing of the deadline was left"));
        }
        Headroom.requireThrice();
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
        return (needed == ScatterGatherBuilder.BEST_EFFORT ? "best effort" : needed + " values") + " of " + services;
    }
}
