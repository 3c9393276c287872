// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions of users that block, and the context and interrupt status with which they begin. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class FlowTimeTest {
    private static final Duration SOON = Duration.ofMillis(150);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ThreadLocal<@Nullable String> tenant = new ThreadLocal<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Spindle spindle = Spindle.builder()
            .coreThreads(2)
            .maxThreads(64)
            .taskDecorator(task -> {
                String captured = tenant.get();
                return () -> {
                    String before = tenant.get();
                    tenant.set(captured);
                    task.run();
                    tenant.set(before);
                };
            })
            .build();

    @AfterEach
    void close() {
        gate.countDown();
        spindle.close();
    }

    private Deadline in(Duration time) {
        return Deadline.after(spindle, time);
    }

    private String blocked() throws InterruptedException {
        assertThat(gate.await(100, TimeUnit.SECONDS)).isTrue();
        return "late";
    }

    /** Keeps the gate shut until there is an outcome. */
    private static <T extends @Nullable Object> Outcome<T> outcome(CompletableFuture<Outcome<T>> answer)
            throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }

    @Test
    void b2_retryWhoseFunctionBlocks_isAnsweredByTheDeadline() throws Exception {
        Endpoint<String, String> endpoint = Endpoint.<String, String>builder(spindle, "db", (q, attempt) -> {
                    if (attempt.number() > 0) {
                        blocked();
                    }
                    return CompletableFuture.failedFuture(new IllegalStateException("broken"));
                })
                .idempotent(q -> true)
                .retries(1)
                .jitter(() -> 0)
                .build();

        assertThat(outcome(endpoint.call("q", in(SOON)))).isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void b2_hedgeWhoseFunctionBlocks_isAnsweredByTheDeadline() throws Exception {
        Endpoint<String, String> endpoint = Endpoint.<String, String>builder(spindle, "db", (q, attempt) -> {
                    if (attempt.number() > 0) {
                        blocked();
                    }
                    return new CompletableFuture<>();
                })
                .attemptTimeout(SOON)
                .idempotent(q -> true)
                .hedgeAfter(Duration.ofMillis(10))
                .build();

        assertThat(outcome(endpoint.call("q", in(LONG)))).isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void b2_callAfterAWaitWhoseFunctionBlocks_isAnsweredByTheDeadline() throws Exception {
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 1);
        Permit permit = java.util.Objects.requireNonNull(bulkhead.tryAcquire());
        Endpoint<String, String> endpoint = Endpoint.<String, String>builder(
                        spindle, "db", (q, attempt) -> CompletableFuture.completedFuture(blocked()))
                .bulkhead(bulkhead)
                .build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", in(SOON));
        permit.ignore();

        assertThat(outcome(answer)).isInstanceOf(Outcome.TimedOut.class);
        assertThat(bulkhead.stats().running()).isZero();
    }

    /** The first step is answered by another thread, which then runs the next. */
    private CompletableFuture<Outcome<String>> afterAStep(Service<String, String> next) {
        CompletableFuture<String> first = new CompletableFuture<>();
        Service<String, String> chain = Endpoint.<String, String>create(spindle, "first", (q, attempt) -> first)
                .andThen(next);
        CompletableFuture<Outcome<String>> answer = chain.call("q", in(SOON));
        new Thread(() -> first.complete("a")).start();
        return answer;
    }

    @Test
    void b2_nextStepThatBlocks_isAnsweredByTheDeadline() throws Exception {
        Service<String, String> blocks =
                Endpoint.create(spindle, "next", (q, attempt) -> CompletableFuture.completedFuture(blocked()));
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(blocks);
        builder.add(blocks);
        Service<String, String> gathers = (q, deadline) -> builder.build()
                .call(q, deadline)
                .thenApply(outcome -> outcome.map(gathered -> gathered.outcomes() + ""));
        Function<String, String> mapping = q -> {
            try {
                return blocked();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };

        assertThat(outcome(afterAStep(blocks))).isInstanceOf(Outcome.TimedOut.class);
        assertThat(outcome(afterAStep(blocks.compose(mapping)))).isInstanceOf(Outcome.TimedOut.class);
        assertThat(outcome(afterAStep(gathers))).isInstanceOf(Outcome.TimedOut.class);
        assertThat(outcome(afterAStep(
                        (q, deadline) -> CompletableFuture.completedFuture(new Outcome.Value<>(blocked(mapping))))))
                .isInstanceOf(Outcome.TimedOut.class);
    }

    private static String blocked(Function<String, String> by) {
        return by.apply("q");
    }

    @Test
    void b2_gatheredServiceThatBlocks_endsTheOthersByTheDeadline() throws Exception {
        CompletableFuture<Outcome<Gathered>> given = new CompletableFuture<>();
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().bestEffort();
        builder.add(Endpoint.create(spindle, "blocks", (q, attempt) -> CompletableFuture.completedFuture(blocked())));
        builder.add(Endpoint.create(spindle, "not begun", (q, attempt) -> new CompletableFuture<>()));
        ScatterGather<String> scatter = builder.build();
        Service<String, Gathered> chain = Endpoint.<String, String>create(
                        spindle, "first", (q, attempt) -> spindle.submit(() -> q))
                .andThen(scatter);
        chain.call("q", in(SOON)).thenAccept(given::complete);

        assertThat(given.get(60, TimeUnit.SECONDS)).isInstanceOf(Outcome.TimedOut.class);
    }

    /** Ends the first attempts in a thread with another context. */
    private List<String> seen(boolean bulkhead, EndpointBuilderStep options) throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch second = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        CompletableFuture<String> first = new CompletableFuture<>();
        EndpointBuilder<String, String> builder = Endpoint.<String, String>builder(spindle, "db", (q, attempt) -> {
            seen.add(tenant.get() + (Thread.currentThread().isInterrupted() ? ", interrupted" : ""));
            if (seen.size() > 1) {
                if (Thread.currentThread() != caller) {
                    Thread.currentThread().interrupt(); // must not be seen by the next function
                }
                second.countDown();
                return CompletableFuture.completedFuture("a");
            }
            return first;
        });
        Endpoint<String, String> endpoint = options.set(builder).build();
        tenant.set("caller");
        endpoint.call("q", in(LONG));
        if (bulkhead) {
            endpoint.call("waits", in(LONG));
        }
        tenant.set("other");
        Thread other = new Thread(() -> {
            tenant.set("backend");
            if (bulkhead) {
                first.complete("a");
            } else {
                first.completeExceptionally(new IllegalStateException("broken"));
            }
        });
        if (bulkhead || endpoint.options.retries > 0) {
            other.start();
        }
        assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
        return seen;
    }

    private interface EndpointBuilderStep {
        EndpointBuilder<String, String> set(EndpointBuilder<String, String> builder);
    }

    @Test
    void a4_retriesHedgesAndCallsAfterAWait_haveTheContextOfTheCallAndNoInterrupt() throws Exception {
        for (int i = 0; i < 20; i++) { // on threads that earlier functions have interrupted
            assertThat(seen(
                            false,
                            builder -> builder.idempotent(q -> true).retries(1).jitter(() -> 0)))
                    .containsExactly("caller", "caller");
            assertThat(seen(false, builder -> builder.idempotent(q -> true).hedgeAfter(Duration.ofNanos(100_000))))
                    .containsExactly("caller", "caller");
            assertThat(seen(true, builder -> builder.maxConcurrency(1).capacity(5)))
                    .containsExactly("caller", "caller");
        }
    }

    @Test
    void a4_taskDecoratorThatThrows_failsTheCallAndLosesNothing() {
        IllegalStateException broken = new IllegalStateException("broken");
        boolean[] throwing = {false};
        Backend backend = new Backend();
        try (Spindle own = Spindle.builder()
                .taskDecorator(task -> {
                    if (throwing[0]) {
                        throw broken;
                    }
                    return task;
                })
                .build()) {
            Bulkhead bulkhead = Bulkhead.create(own, "db", Limiter.fixed(1), 1);
            Endpoint<String, String> endpoint =
                    Endpoint.builder(own, "db", backend).bulkhead(bulkhead).build();
            throwing[0] = true;
            assertThat(endpoint.call("q", Deadline.after(own, LONG)).join()).isEqualTo(new Outcome.Failed<>(broken));
            assertThat(bulkhead.stats().running()).isZero();
            throwing[0] = false;
            CompletableFuture<Outcome<String>> first = endpoint.call("q", Deadline.after(own, LONG));
            CompletableFuture<Outcome<String>> waits = endpoint.call("q", Deadline.after(own, LONG));
            throwing[0] = true;
            backend.answer(0, "a"); // passes the permit on, whose timer captures the context

            assertThat(first.join()).isInstanceOf(Outcome.Value.class);
            assertThat(waits.join()).isEqualTo(new Outcome.Failed<>(broken));
            assertThat(bulkhead.stats().running()).isZero();
            throwing[0] = false;
        }
    }

    @Test
    void b1_serviceOfTheUsersThatNeverAnswers_endsByTheDeadline() throws Exception {
        Service<String, String> never = (q, deadline) -> new CompletableFuture<>();
        for (ScatterGatherBuilder<String> builder : List.<ScatterGatherBuilder<String>>of(
                ScatterGather.builder(), ScatterGather.<String>builder().bestEffort())) {
            builder.add(never);
            builder.add(never.within(LONG));
            Outcome<Gathered> outcome = outcome(builder.build().call("q", in(SOON)));
            List<Outcome<?>> outcomes = outcome instanceof Outcome.Value<Gathered> value
                    ? value.value().outcomes()
                    : ((UnmetException) ((Outcome.Failed<Gathered>) outcome).cause())
                            .gathered()
                            .outcomes();
            assertThat(outcomes).allMatch(one -> one instanceof Outcome.TimedOut<?>);
        }
        assertThat(outcome(never.within(SOON).call("q", in(LONG)))).isInstanceOf(Outcome.TimedOut.class);
        assertThat(outcome(never.<String>compose(q -> q).call("q", in(SOON)))).isInstanceOf(Outcome.TimedOut.class);
        assertThat(outcome(never.andThen(never).call("q", in(SOON)))).isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void get_withALimit_isNoDeadline() throws Exception {
        CompletableFuture<Outcome<String>> answer = Endpoint.<String, String>create(
                        spindle, "db", (q, attempt) -> new CompletableFuture<>())
                .call("q", in(SOON.multipliedBy(10)));
        try {
            answer.get(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            assertThat(answer).isNotDone();
        }
        assertThat(outcome(answer)).isInstanceOf(Outcome.TimedOut.class);
    }
    /** Blocks every thread of the spindle but the clock. */
    @Test
    void a3_deadlinesHedgesAndRetries_actThoughAllWorkersAreBlocked() throws Exception {
        try (Spindle small = Spindle.builder().coreThreads(2).maxThreads(2).build()) {
            CountDownLatch end = new CountDownLatch(1);
            try {
                for (int i = 0; i < 30; i++) {
                    small.execute(() -> {
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    });
                }
                Backend backend = new Backend();
                Endpoint<String, String> hangs = Endpoint.builder(small, "db", backend)
                        .attemptTimeout(Duration.ofMillis(100))
                        .idempotent(q -> true)
                        .hedgeAfter(Duration.ofMillis(20))
                        .retries(1)
                        .jitter(() -> 0)
                        .build();
                Outcome<String> outcome = hangs.call("q", Deadline.after(small, Duration.ofMillis(250)))
                        .get(60, TimeUnit.SECONDS);

                assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
                assertThat(backend.calls()).isGreaterThanOrEqualTo(3); // with a hedge and a retry
            } finally {
                end.countDown();
            }
        }
    }

    /** Ten calls wait for a permit, and then for each other. */
    @Test
    void t3_callsAfterAWaitThatWaitForEachOther_allRun() throws Exception {
        CountDownLatch together = new CountDownLatch(10);
        Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(10), 10);
        List<Permit> permits = new ArrayList<>();
        for (Permit permit = bulkhead.tryAcquire(); permit != null; permit = bulkhead.tryAcquire()) {
            permits.add(permit);
        }
        Endpoint<String, Boolean> endpoint = Endpoint.<String, Boolean>builder(spindle, "db", (q, attempt) -> {
                    together.countDown();
                    return CompletableFuture.completedFuture(together.await(60, TimeUnit.SECONDS));
                })
                .bulkhead(bulkhead)
                .build();
        List<CompletableFuture<Outcome<Boolean>>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(endpoint.call("q", in(LONG)));
        }
        permits.forEach(Permit::ignore);

        for (CompletableFuture<Outcome<Boolean>> answer : answers) {
            assertThat(outcome(answer)).isEqualTo(new Outcome.Value<>(true));
        }
    }
}
