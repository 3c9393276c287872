// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.flow.Attempt;
import dev.spindle.flow.Breaker;
import dev.spindle.flow.Bulkhead;
import dev.spindle.flow.Endpoint;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.gateway.Gateway;
import dev.spindle.gateway.GatewayConfig;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart.Kind;
import dev.spindle.pipeline.Pipeline;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The parts of all modules: each is listed from its creation to its end. */
@Timeout(60)
class PartsOfAllModulesTest {
    private final Spindle spindle = Spindle.builder().name("shop").build();
    private final List<Object> kept = new ArrayList<>(); // what is added at the end of a test is reachable until then

    @AfterEach
    void end() {
        spindle.shutdownNow(); // a test that failed may have left a task that waits
        spindle.close();
    }

    private Set<Part> parts() {
        return Snapshot.of(Pool.of(spindle)).parts();
    }

    private static Part part(Kind kind, String name) {
        return new Part(kind, null, name);
    }

    @Test
    void parts_ofASpindle_areItselfItsStrandsSpacesAndExecutors() {
        spindle.keyed("orders");
        var reads = spindle.executor("reads", 2);

        assertThat(parts())
                .containsExactly(
                        part(Kind.SPINDLE, "shop"),
                        part(Kind.STRANDS, "strands"),
                        part(Kind.KEYS, "orders"),
                        part(Kind.EXECUTOR, "reads"));
        reads.close();
        assertThat(parts()).doesNotContain(part(Kind.EXECUTOR, "reads"));
    }

    private static final class Nothing implements Actor<String> {
        @Override
        public void receive(String message, ActorContext<String> context) {}
    }

    @Test
    void actors_areListedUntilTheyHaveEnded() {
        Actors actors = Actors.create(spindle);
        ActorRef<String> one = actors.actor("one", Nothing::new);

        assertThat(parts()).contains(part(Kind.ACTORS, "shop"));
        actors.close();
        assertThat(parts()).doesNotContain(part(Kind.ACTORS, "shop"));
        kept.add(one);
    }

    @Test
    void channel_withAConsumer_isListedUntilItIsClosedAndEmpty() throws Exception {
        Channel<String> jobs = Channel.buffered("jobs", 8);
        CountDownLatch got = new CountDownLatch(1);
        CompletableFuture<?> end = jobs.forEach(spindle.strand("worker"), job -> got.countDown());
        jobs.send("first");
        got.await();

        assertThat(parts()).contains(part(Kind.CHANNEL, "jobs"));
        jobs.close();
        end.get();
        assertThat(parts()).doesNotContain(part(Kind.CHANNEL, "jobs"));
    }

    @Test
    void pipelineAndItsStages_areListedUntilTheEnd() throws Exception {
        Pipeline<AtomicLong> orders = Pipeline.builder(spindle, "orders", AtomicLong::new)
                .stage("check", event -> {})
                .stage("book", event -> {})
                .build();
        orders.publish(event -> event.set(7));

        assertThat(parts())
                .contains(
                        part(Kind.PIPELINE, "orders"),
                        new Part(Kind.STAGE, "orders", "check"),
                        new Part(Kind.STAGE, "orders", "book"));
        orders.close();
        assertThat(parts()).extracting(Part::kind).doesNotContain(Kind.PIPELINE, Kind.STAGE);
    }

    @Test
    void stage_thatFallsBehind_showsItsLag() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Pipeline<AtomicLong> orders = Pipeline.builder(spindle, "orders", AtomicLong::new)
                .stage("slow", event -> {
                    begun.countDown();
                    go.await();
                })
                .build();
        for (int i = 0; i < 5; i++) {
            orders.publish(event -> {});
        }
        begun.await();

        Snapshot now = Snapshot.of(Pool.of(spindle));

        assertThat(now.sum(new Part(Kind.STAGE, "orders", "slow"), stats -> stats.pending()))
                .isEqualTo(5);
        go.countDown();
        orders.close();
    }

    private Endpoint<String, String> endpoint() {
        return Endpoint.builder(
                        spindle,
                        "users",
                        (String id, Attempt attempt) -> CompletableFuture.completedFuture("user " + id))
                .maxConcurrency(2)
                .build();
    }

    @Test
    void guards_ofFlow_areListedWhileTheyAreReachable() throws Exception {
        Endpoint<String, String> users = endpoint();
        Bulkhead database = Bulkhead.create(spindle, "database", Limiter.fixed(3), 10);
        Breaker breaker = Breaker.create(spindle, "mail");
        Outcome<String> answer = users.call("7", dev.spindle.flow.Deadline.after(spindle, Duration.ofSeconds(5)))
                .get();

        assertThat(answer.orThrow()).isEqualTo("user 7");
        Snapshot now = Snapshot.of(Pool.of(spindle));
        assertThat(now.parts())
                .contains(part(Kind.ENDPOINT, "users"), part(Kind.BULKHEAD, "database"), part(Kind.BREAKER, "mail"))
                .doesNotContain(part(Kind.BULKHEAD, "users")); // its calls would be counted twice
        assertThat(now.sum(part(Kind.ENDPOINT, "users"), stats -> stats.completed()))
                .isEqualTo(1);
        kept.addAll(List.of(users, database, breaker));
    }

    @Test
    void breaker_thatIsOpen_admitsNoCall() {
        Breaker breaker =
                Breaker.builder(spindle, "mail").window(2).minimumCalls(1).build();
        Breaker.Pass pass = requireNonNull(breaker.tryPass());
        assertThat(breaker.stats().maxConcurrency()).isEqualTo(Integer.MAX_VALUE);

        pass.failure(Duration.ofMillis(1), new Outcome.Cancelled<String>());

        assertThat(breaker.stats().maxConcurrency()).isZero();
    }

    @Test
    void u3_partThatIsNoLongerReachable_isGone() {
        WeakReference<Breaker> breaker = new WeakReference<>(Breaker.create(spindle, "mail"));
        for (int i = 0; breaker.get() != null && i < 100; i++) {
            System.gc();
        }

        assertThat(breaker.get()).isNull();
        assertThat(parts()).doesNotContain(part(Kind.BREAKER, "mail"));
    }

    @Test
    void gateway_andItsBackends_areListedByItsSpindle() throws Exception {
        GatewayConfig config = GatewayConfig.parse("shop", """
                listen: 127.0.0.1:0
                threads: 1
                backends:
                  users: {url: "http://127.0.0.1:1", breaker: on}
                routes:
                  - {path: "/*", proxy: users}
                """);
        try (Gateway gateway = Gateway.create(config)) {
            assertThat(Snapshot.of(Pool.of(gateway.spindle())).parts())
                    .contains(
                            part(Kind.SPINDLE, "gateway"),
                            part(Kind.GATEWAY, "gateway"),
                            part(Kind.ENDPOINT, "users"),
                            part(Kind.ROUTE, "/*"),
                            part(Kind.BREAKER, "users"));
            assertThat(gateway.stats().running()).isZero();
        }
    }
}
