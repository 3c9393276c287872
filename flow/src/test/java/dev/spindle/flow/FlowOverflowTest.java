// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** B5: callers and backends that run out of stack lose their own call and nothing else. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class FlowOverflowTest {
    private static final int ROUNDS = 8;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);

    @Test
    void b5_callsThatOverflowAtAnyDepth_giveTheirPermitsBackAndAreAnswered() throws Exception {
        List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
        try (Spindle spindle = Spindle.create()) {
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(32), 0);
            Endpoint<String, String> endpoint = Endpoint.<String, String>builder(
                            spindle, "db", (q, attempt) -> CompletableFuture.completedFuture(q))
                    .bulkhead(bulkhead)
                    .breaker(Breaker.create(spindle, "db"))
                    .idempotent(q -> true)
                    .retries(1)
                    .hedgeAfter(LONG)
                    .build();
            Diver diver = new Diver(() -> {
                answers.add(endpoint.call("q", Deadline.after(spindle, SHORT)));
            });

            diver.dive(ROUNDS);

            assertThat(diver.overflows()).isGreaterThan(ROUNDS);
            for (CompletableFuture<Outcome<String>> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(bulkhead.stats().running()).isZero();
        }
    }

    @Test
    void b5_callbacksThatCallAgainWithoutEnd_loseNoPermit() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(32), 0);
            Endpoint<String, String> endpoint = Endpoint.<String, String>builder(
                            spindle, "db", (q, attempt) -> CompletableFuture.completedFuture(q))
                    .bulkhead(bulkhead)
                    .build();
            List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                try {
                    again(endpoint, Deadline.after(spindle, LONG), answers);
                } catch (StackOverflowError e) {
                    // usually in a future, not thrown
                }
            }

            assertThat(bulkhead.stats().running()).isZero();
            assertThat(endpoint.call("q", Deadline.after(spindle, LONG)).join()).isInstanceOf(Outcome.Value.class);
            assertThat(answers).allMatch(CompletableFuture::isDone);
        }
    }

    private static void again(
            Endpoint<String, String> endpoint, Deadline deadline, List<CompletableFuture<Outcome<String>>> answers) {
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", deadline);
        if (answers.size() < 10_000) {
            answers.add(answer);
        }
        answer.thenAccept(outcome -> again(endpoint, deadline, answers));
    }

    @Test
    void b5_answersThatOverflowAtAnyDepth_giveThePermitBack() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(10_000), 0);
            Backend backend = new Backend();
            Endpoint<String, String> endpoint =
                    Endpoint.builder(spindle, "db", backend).bulkhead(bulkhead).build();
            List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
            AtomicInteger next = new AtomicInteger();
            for (int i = 0; i < 5_000; i++) {
                answers.add(endpoint.call("q", Deadline.after(spindle, Duration.ofSeconds(5))));
            }
            Diver diver = new Diver(() -> backend.answer(next.getAndIncrement(), "a"));

            diver.dive(ROUNDS);

            for (int i = next.get(); i < 5_000; i++) {
                backend.answer(i, "a");
            }
            for (CompletableFuture<Outcome<String>> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(bulkhead.stats().running()).isZero();
        }
    }

    @Test
    void b5_pipelinesAndScatterGathersThatOverflow_areAnsweredByTheirDeadline() throws Exception {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        try (Spindle spindle = Spindle.create()) {
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(32), 0);
            Endpoint<String, String> endpoint = Endpoint.<String, String>builder(
                            spindle, "db", (q, attempt) -> CompletableFuture.completedFuture(q))
                    .bulkhead(bulkhead)
                    .build();
            ScatterGatherBuilder<String> builder = ScatterGather.builder();
            builder.add(endpoint);
            builder.add(endpoint.andThen(endpoint));
            builder.add((q, deadline) -> CompletableFuture.completedFuture(new Outcome.Value<>(q)));
            ScatterGather<String> scatter = builder.build();
            Diver diver = new Diver(() -> answers.add(scatter.call("q", Deadline.after(spindle, SHORT))));

            diver.dive(ROUNDS);

            for (CompletableFuture<?> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(bulkhead.stats().running()).isZero();
        }
    }

    @Test
    void b5_permitsThatAreGivenBackAtAnyDepth_areGivenBackOrCanBeAgain() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.aimd(10_000, 10_000, 10_000), 0);
            List<Permit> permits = new ArrayList<>(10_000);
            Diver diver = new Diver(() -> {
                Permit permit = bulkhead.tryAcquire();
                if (permit != null) {
                    permits.add(permit);
                    permit.success();
                }
            });

            diver.dive(ROUNDS);

            assertThat(diver.overflows()).isGreaterThan(ROUNDS);
            permits.forEach(Permit::ignore);
            assertThat(bulkhead.stats().running()).isZero();
        }
    }
}
