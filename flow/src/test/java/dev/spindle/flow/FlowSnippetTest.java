// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The snippets of docs/flow.md, which has the text between the comments word for word. */
class FlowSnippetTest {
    private record User(long id, String name) {}

    private static final class Database {
        CompletionStage<User> findUser(long id) {
            return CompletableFuture.completedFuture(new User(id, "alice"));
        }

        List<String> ordersOf(long user) {
            return List.of("order 1 of " + user, "order 2 of " + user);
        }

        CompletionStage<String> offerFor(User user, Duration atMost) {
            return CompletableFuture.completedFuture(atMost.isZero() ? "none" : "an offer for " + user.name());
        }
    }

    private final Database database = new Database();
    private final List<String> shown = new ArrayList<>();

    private void show(User user, List<String> orders) {
        shown.add(user.name() + ": " + orders.size() + " orders");
    }

    @Test
    void endpointsAndScatterGather_ofTheDocument_work() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            // snippet: flow-endpoints
            Endpoint<Long, User> users = Endpoint.builder(
                            spindle, "users", (Long id, Attempt attempt) -> database.findUser(id))
                    .attemptTimeout(Duration.ofMillis(200))
                    .maxConcurrency(32)
                    .capacity(100) // calls that wait
                    .breaker(Breaker.create(spindle, "users"))
                    .idempotent(id -> true) // a second call does no harm
                    .retries(2)
                    .hedgeAtPercentile(0.95)
                    .build();

            LogicalExecutor jdbc = spindle.executor("jdbc", 16);
            Endpoint<Long, List<String>> orders =
                    Endpoint.create(spindle, "orders", (id, attempt) -> jdbc.submit(() -> database.ordersOf(id)));
            // end

            // snippet: flow-scatter
            ScatterGatherBuilder<Long> builder = ScatterGather.builder(); // .quorum(2), .firstSuccess(), .bestEffort()
            Part<User> user = builder.add(users);
            Part<List<String>> theirOrders = builder.add(orders);
            ScatterGather<Long> page = builder.build(); // once; called as often as one likes

            CompletableFuture<Outcome<Gathered>> answer =
                    page.call(7L, Deadline.after(spindle, Duration.ofSeconds(20)));
            CompletableFuture<?> done = answer.thenAccept(outcome -> {
                Gathered all = outcome.orThrow();
                show(all.value(user), all.value(theirOrders));
            });
            // end

            done.get(30, TimeUnit.SECONDS);
        }

        assertThat(shown).containsExactly("alice: 2 orders");
    }

    @Test
    void pipeline_ofTheDocument_works() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Endpoint<Long, User> users = Endpoint.create(spindle, "users", (id, attempt) -> database.findUser(id));
            // snippet: flow-steps
            Endpoint<User, String> offers = Endpoint.create(spindle, "offers", (user, attempt) -> {
                Duration left = attempt.deadline().remaining(); // for a socket's timeout, or a header
                return database.offerFor(user, left);
            });
            Service<Long, String> offerById = users.andThen(offers.within(Duration.ofSeconds(10)));
            // end

            Outcome<String> outcome = offerById
                    .call(7L, Deadline.after(spindle, Duration.ofSeconds(20)))
                    .get(30, TimeUnit.SECONDS);
            assertThat(outcome).isEqualTo(new Outcome.Value<>("an offer for alice"));
        }
    }

    // snippet: flow-test
    @Test
    void users_thatHang_timeOutAfterASecond() {
        try (Simulation simulation = Simulation.inOrder()) {
            CompletableFuture<User> never = new CompletableFuture<>();
            Endpoint<Long, User> users = Endpoint.create(simulation.spindle(), "users", (id, attempt) -> never);
            CompletableFuture<Outcome<User>> answer =
                    users.call(7L, Deadline.after(simulation.spindle(), Duration.ofSeconds(1)));

            simulation.advance(Duration.ofMillis(999));
            assertThat(answer).isNotDone();
            simulation.advance(Duration.ofMillis(1));
            assertThat(answer.join()).isInstanceOf(Outcome.TimedOut.class);
        }
    }
    // end
}
