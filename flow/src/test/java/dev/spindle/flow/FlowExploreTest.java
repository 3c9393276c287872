// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many orders of answers, time limits and cancellations; the seed decides each of them. */
@SuppressWarnings("FutureReturnValueIgnored") // the test looks at the timers by other means
class FlowExploreTest {
    @Test
    void b5_callsInAnyOrder_endOnceByTheirDeadlinesAndLeaveNothing() {
        Simulation.explore(300, simulation -> {
            Spindle spindle = simulation.spindle();
            Random random = new Random(simulation.spindle().nanoTime());
            List<Long> made = new ArrayList<>();
            List<Long> seen = new ArrayList<>();
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.aimd(1, 2, 4), 4);
            Endpoint<Long, Long> endpoint = Endpoint.<Long, Long>builder(spindle, "db", (value, attempt) -> {
                        CompletableFuture<Long> stage = new CompletableFuture<>();
                        long id = value * 100 + attempt.number();
                        spindle.schedule(
                                () -> {
                                    if (random.nextInt(4) == 0) {
                                        stage.completeExceptionally(new IllegalStateException("broken"));
                                    } else if (stage.complete(id)) {
                                        made.add(id);
                                    }
                                },
                                random.nextInt(30),
                                TimeUnit.MILLISECONDS);
                        return random.nextBoolean() ? stage : stage.minimalCompletionStage();
                    })
                    .attemptTimeout(Duration.ofMillis(15))
                    .bulkhead(bulkhead)
                    .idempotent(q -> true)
                    .retries(2)
                    .backoff(Duration.ofMillis(5), Duration.ofMillis(10))
                    .jitter(random::nextDouble)
                    .hedgeAfter(Duration.ofMillis(8))
                    .onDiscard(seen::add)
                    .build();
            List<CompletableFuture<Outcome<Long>>> answers = new ArrayList<>();
            for (long i = 1; i <= 12; i++) {
                CompletableFuture<Outcome<Long>> answer =
                        endpoint.call(i, Deadline.after(spindle, Duration.ofMillis(40)));
                CompletableFuture<?> unused = answer.thenAccept(outcome -> {
                    if (outcome instanceof Outcome.Value<Long> value) {
                        seen.add(value.value());
                    }
                });
                answers.add(answer);
                simulation.advance(Duration.ofMillis(random.nextInt(6)));
                if (random.nextInt(4) == 0) {
                    answers.get(random.nextInt(answers.size())).cancel(true);
                }
            }
            simulation.advance(Duration.ofMillis(40));

            assertThat(answers).allMatch(CompletableFuture::isDone);
            assertThat(bulkhead.stats().running()).isZero();
            assertThat(bulkhead.stats().pending()).isZero();
            simulation.advance(Duration.ofMillis(40)); // calls that could not be cancelled answer late
            assertThat(seen).containsExactlyInAnyOrderElementsOf(made);
        });
    }
}
