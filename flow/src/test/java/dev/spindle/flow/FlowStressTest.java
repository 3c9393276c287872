// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads call, answer, time out and cancel at once; afterwards the counts must add up. */
@Tag("stress")
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class FlowStressTest {
    private static final int THREADS = 4;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(700);

    /** Makes each value once, and counts the values that were discarded or reached a caller. */
    private static final class Values implements Call<Integer, Long> {
        private final Spindle spindle;
        private final AtomicLong next = new AtomicLong();
        private final AtomicLong made = new AtomicLong();
        private final ConcurrentMap<Long, AtomicInteger> seen = new ConcurrentHashMap<>();

        Values(Spindle spindle) {
            this.spindle = spindle;
        }

        /**
         * Answers, by the request: at once, never, by a stage that cannot be cancelled, committed, by a failure, or
         * soon.
         */
        @Override
        public CompletionStage<Long> call(Integer kind, Attempt attempt) {
            long value = next.incrementAndGet();
            CompletableFuture<Long> stage = new CompletableFuture<>();
            if (kind == 1) {
                return CompletableFuture.failedFuture(new IllegalStateException("broken"));
            } else if (kind == 2) {
                later(stage, value);
                return stage.minimalCompletionStage();
            } else if (kind == 4) {
                made.incrementAndGet();
                stage.complete(value);
            } else if (kind != 0 && (kind != 3 || attempt.commit())) {
                later(stage, value);
            }
            return stage;
        }

        private void later(CompletableFuture<Long> stage, long value) {
            spindle.execute(() -> {
                made.incrementAndGet(); // before the completion, whose callbacks count
                if (!stage.complete(value)) {
                    made.decrementAndGet();
                }
            });
        }

        void see(long value) {
            seen.computeIfAbsent(value, key -> new AtomicInteger()).incrementAndGet();
        }

        void check() {
            assertThat(seen.values()).allMatch(times -> times.get() == 1);
            assertThat(seen.size()).isEqualTo(made.get());
        }
    }

    private static void inThreads(Spindle spindle, java.util.function.Consumer<Random> action) throws Exception {
        List<CompletableFuture<?>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(i);
            callers.add(spindle.submit(() -> {
                for (long end = System.nanoTime() + NANOS; System.nanoTime() - end < 0; ) {
                    action.accept(random);
                }
            }));
        }
        for (CompletableFuture<?> caller : callers) {
            caller.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void b1_callsThatEndInEveryWayAtOnce_completeOnceAndLoseNothing() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger completions = new AtomicInteger();
        Bulkhead bulkhead;
        Values values;
        try (Spindle spindle = Spindle.builder().coreThreads(THREADS).build()) {
            values = new Values(spindle);
            bulkhead = Bulkhead.create(spindle, "db", Limiter.aimd(2, 8, 16), 64);
            Endpoint<Integer, Long> endpoint = Endpoint.builder(spindle, "db", values)
                    .attemptTimeout(Duration.ofMillis(2))
                    .bulkhead(bulkhead)
                    .breaker(Breaker.builder(spindle, "db")
                            .openFor(Duration.ofNanos(1))
                            .build())
                    .idempotent(q -> true)
                    .retries(2)
                    .backoff(Duration.ofNanos(10_000), Duration.ofMillis(1))
                    .hedgeAfter(Duration.ofNanos(100_000))
                    .budget(1, 1_000)
                    .onDiscard(values::see)
                    .build();
            inThreads(spindle, random -> {
                calls.incrementAndGet();
                CompletableFuture<Outcome<Long>> answer =
                        endpoint.call(random.nextInt(12), Deadline.after(spindle, Duration.ofMillis(5)));
                answer.whenComplete((outcome, thrown) -> {
                    completions.incrementAndGet();
                    if (outcome instanceof Outcome.Value<Long> value) {
                        values.see(value.value());
                    }
                });
                if (random.nextInt(4) == 0) {
                    answer.cancel(true);
                }
            });
        } // waits for the timers, and so for all calls

        assertThat(calls.get()).isPositive();
        assertThat(completions).hasValue(calls.get());
        assertThat(bulkhead.stats().running()).isZero();
        assertThat(bulkhead.stats().pending()).isZero();
        values.check();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 2})
    void b1_scatterGathersOfEveryPolicy_completeOnceAndLoseNothing(int needed) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger completions = new AtomicInteger();
        Values values;
        try (Spindle spindle = Spindle.builder().coreThreads(THREADS).build()) {
            values = new Values(spindle);
            ScatterGatherBuilder<int[]> builder = needed < 0
                    ? ScatterGather.builder()
                    : needed == 0
                            ? ScatterGather.<int[]>builder().bestEffort()
                            : ScatterGather.<int[]>builder().quorum(needed);
            Endpoint<Integer, Long> endpoint = Endpoint.builder(spindle, "db", values)
                    .onDiscard(values::see)
                    .build();
            for (int i = 0; i < 3; i++) {
                int index = i;
                builder.add(endpoint.compose((int[] kinds) -> kinds[index]));
            }
            ScatterGather<int[]> scatter = builder.build();
            inThreads(spindle, random -> {
                calls.incrementAndGet();
                int[] kinds = {random.nextInt(12), random.nextInt(12), random.nextInt(12)};
                CompletableFuture<Outcome<Gathered>> answer =
                        scatter.call(kinds, Deadline.after(spindle, Duration.ofMillis(2)));
                answer.whenComplete((outcome, thrown) -> {
                    completions.incrementAndGet();
                    if (outcome instanceof Outcome.Value<Gathered> met) {
                        see(values, met.value());
                    } else if (outcome instanceof Outcome.Failed<Gathered> unmet) {
                        see(values, ((UnmetException) unmet.cause()).gathered());
                    }
                });
                if (random.nextInt(4) == 0) {
                    answer.cancel(true);
                }
            });
        }

        assertThat(completions).hasValue(calls.get());
        values.check();
    }

    private static void see(Values values, Gathered gathered) {
        for (Outcome<?> outcome : gathered.outcomes()) {
            if (outcome instanceof Outcome.Value<?> value) {
                values.see((Long) value.value());
            }
        }
    }

    @Test
    void b1_pipelines_completeOnceAndLoseNothing() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger completions = new AtomicInteger();
        Values first;
        Values second;
        AtomicLong passedOn = new AtomicLong();
        try (Spindle spindle = Spindle.builder().coreThreads(THREADS).build()) {
            first = new Values(spindle);
            second = new Values(spindle);
            Service<Integer, Long> chain = Endpoint.builder(spindle, "first", first)
                    .onDiscard(first::see)
                    .build()
                    .andThen(Endpoint.builder(spindle, "second", second)
                            .onDiscard(second::see)
                            .build()
                            .compose((Long value) -> {
                                first.see(value);
                                passedOn.incrementAndGet();
                                return (int) (value % 12);
                            }));
            inThreads(spindle, random -> {
                calls.incrementAndGet();
                CompletableFuture<Outcome<Long>> answer =
                        chain.call(random.nextInt(12), Deadline.after(spindle, Duration.ofMillis(2)));
                answer.whenComplete((outcome, thrown) -> {
                    completions.incrementAndGet();
                    if (outcome instanceof Outcome.Value<Long> value) {
                        second.see(value.value());
                    }
                });
                if (random.nextInt(4) == 0) {
                    answer.cancel(true);
                }
            });
        }

        assertThat(completions).hasValue(calls.get());
        assertThat(passedOn.get()).isPositive();
        first.check();
        second.check();
    }

    @Test
    void b5_permits_areNeverMoreThanTheLimitNorLost() throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(THREADS).build()) {
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(3), 8);
            AtomicInteger now = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            AtomicInteger given = new AtomicInteger();
            inThreads(spindle, random -> {
                Permit permit = bulkhead.tryAcquire();
                if (permit != null) {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    now.decrementAndGet();
                    given.addAndGet((permit.success() ? 1 : 0) + (permit.ignore() ? 1 : 0));
                    given.decrementAndGet();
                }
            });

            assertThat(most.get()).isLessThanOrEqualTo(3);
            assertThat(given).hasValue(0);
            assertThat(bulkhead.stats().running()).isZero();
        }
    }

    @Test
    void b4_halfOpenBreaker_neverLetsMoreTrialsThrough() throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(THREADS).build()) {
            Breaker breaker = Breaker.builder(spindle, "db")
                    .window(1)
                    .minimumCalls(1)
                    .openFor(Duration.ofNanos(1))
                    .trials(2)
                    .build();
            AtomicInteger now = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            Outcome<?> failed = new Outcome.TimedOut<>("slow");
            requireNonNull(breaker.tryPass()).failure(Duration.ofNanos(1), failed);
            inThreads(spindle, random -> {
                Breaker.Pass pass = breaker.tryPass();
                if (pass != null) {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    now.decrementAndGet();
                    pass.ignore();
                }
            });

            assertThat(most.get()).isBetween(1, 2);
            requireNonNull(breaker.tryPass()).failure(Duration.ofNanos(1), failed); // begins a new period
            assertThat(breaker.tryPass()).isNotNull();
            assertThat(breaker.tryPass()).isNotNull();
            assertThat(breaker.tryPass()).isNull(); // none was lost
        }
    }
}
