// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** B5 and U3: a call that has ended keeps nothing alive. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class FlowLeakTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final CompletableFuture<Object> never = new CompletableFuture<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<CompletableFuture<?>> answers = new ArrayList<>();
    private final Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 10);

    /** A stage that never completes, cannot be cancelled and is kept, as the attempts are. */
    private EndpointBuilder<Object, Object> hanging() {
        return Endpoint.<Object, Object>builder(spindle, "db", (request, attempt) -> {
                    attempts.add(attempt);
                    return never.minimalCompletionStage();
                })
                .bulkhead(bulkhead);
    }

    /**
     * Makes a call with a request that has no other reference, ends it, and checks that the request is unreachable.
     */
    private void check(Service<Object, Object> service, Consumer<CompletableFuture<Outcome<Object>>> end) {
        WeakReference<Object> request = call(service, end);
        for (int i = 0; i < 100 && request.get() != null; i++) {
            System.gc();
        }
        assertThat(request.get()).isNull();
        assertThat(answers).isNotEmpty(); // kept alive, as are this test and its stage
    }

    private WeakReference<Object> call(
            Service<Object, Object> service, Consumer<CompletableFuture<Outcome<Object>>> end) {
        Object request = new Object();
        CompletableFuture<Outcome<Object>> answer = service.call(request, Deadline.after(spindle, SECOND));
        List<Object> holder = List.of(request);
        answer.whenComplete((outcome, thrown) -> assertThat(holder).hasSize(1)); // a callback that holds it too
        answers.add(answer);
        end.accept(answer);
        assertThat(answer).isDone();
        return new WeakReference<>(request);
    }

    /** A shutdown waits for timers, so one that is left keeps the spindle from terminating. */
    private void checkNoTimer() {
        spindle.shutdown();
        simulation.run();
        assertThat(spindle.isTerminated()).isTrue();
    }

    @Test
    void b5_answeredChain_leavesNoTimer() {
        Endpoint<String, String> endpoint =
                Endpoint.create(spindle, "x", (request, attempt) -> CompletableFuture.completedFuture("a"));
        assertThat(endpoint.andThen(endpoint).call("q", Deadline.after(spindle, SECOND)))
                .isDone();
        checkNoTimer();
    }

    @Test
    void b5_callThatIsCancelledBeforeItsRetry_leavesNoTimer() {
        Endpoint<String, String> endpoint = Endpoint.<String, String>builder(
                        spindle, "x", (request, attempt) -> CompletableFuture.failedFuture(new IOException("reset")))
                .idempotent(request -> true)
                .retries(9)
                .build();
        CompletableFuture<Outcome<String>> answer = endpoint.call("q", Deadline.after(spindle, SECOND));
        assertThat(answer).isNotDone();
        answer.cancel(true);
        checkNoTimer();
    }

    @Test
    void b5_timedOutCallOfAStageThatNeverCompletes_keepsNothing() {
        check(hanging().build(), answer -> simulation.advance(SECOND));

        assertThat(attempts).hasSize(1);
        assertThat(attempts.get(0).commit()).isFalse();
    }

    @Test
    void b5_cancelledCallOfAStageThatNeverCompletes_keepsNothing() {
        check(hanging().build(), answer -> answer.cancel(true));
    }

    @Test
    void b5_waitingCallThatIsCancelled_keepsNothing() {
        Endpoint<Object, Object> endpoint = hanging().build();
        endpoint.call("first", Deadline.after(spindle, SECOND.multipliedBy(9)));
        check(endpoint, answer -> answer.cancel(true));
        check(endpoint, answer -> simulation.advance(SECOND));

        assertThat(attempts).hasSize(1);
    }

    @Test
    void b5_hedgedAndRetriedCall_keepsNothing() {
        check(
                hanging()
                        .bulkhead(Bulkhead.create(spindle, "wide", Limiter.fixed(9), 0))
                        .attemptTimeout(Duration.ofMillis(100))
                        .idempotent(q -> true)
                        .hedgeAfter(Duration.ofMillis(1))
                        .retries(9)
                        .build(),
                answer -> simulation.advance(SECOND));

        assertThat(attempts).hasSizeGreaterThan(2);
    }

    @Test
    void b5_scatterGatherAndPipeline_keepNothing() {
        ScatterGatherBuilder<Object> builder = ScatterGather.<Object>builder().firstSuccess();
        builder.add(hanging().build());
        builder.add(Endpoint.<Object, Object>create(
                spindle, "x", (request, attempt) -> CompletableFuture.completedFuture("a")));
        check(
                builder.build()
                        .andThen(hanging()
                                .bulkhead(Bulkhead.create(spindle, "nine", Limiter.fixed(9), 0))
                                .build()),
                answer -> answer.cancel(true));
    }

    @Test
    void b5_answeredCall_leavesNoTimer() {
        Backend backend = new Backend();
        Endpoint<String, String> endpoint = Endpoint.builder(spindle, "db", backend)
                .attemptTimeout(Duration.ofMillis(500))
                .idempotent(q -> true)
                .hedgeAfter(Duration.ofMillis(400))
                .retries(1)
                .maxConcurrency(1)
                .capacity(1)
                .build();
        endpoint.call("a", Deadline.after(spindle, SECOND));
        CompletableFuture<Outcome<String>> second = endpoint.call("b", Deadline.after(spindle, SECOND));
        backend.fail(0, new IllegalStateException("broken")); // a retry waits for its time
        simulation.run();
        answers.add(second);
        backend.answer(1, "b");
        simulation.advance(Duration.ofMillis(30));
        backend.answer(2, "a");
        spindle.shutdown(); // waits for timers, if there are any
        simulation.run();

        assertThat(second.join()).isInstanceOf(Outcome.Value.class);
        assertThat(spindle.isTerminated()).isTrue();
    }

    @Test
    void b5_everyWayToEnd_leavesNoTimer() {
        Backend backend = new Backend();
        Endpoint<String, String> endpoint = Endpoint.create(spindle, "db", backend);
        endpoint.call("a", Deadline.after(spindle, SECOND)).cancel(true);
        endpoint.call("b", Deadline.after(spindle, SECOND));
        backend.fail(1, new IllegalStateException("broken"));
        endpoint.call("c", Deadline.after(spindle, SECOND));
        backend.stage(2).cancel(true);
        ScatterGatherBuilder<String> builder = ScatterGather.<String>builder().firstSuccess();
        builder.add(endpoint);
        builder.add(endpoint);
        ScatterGather<String> first = builder.build();
        first.call("d", Deadline.after(spindle, SECOND));
        backend.answer(4, "d");
        first.call("e", Deadline.after(spindle, SECOND)).cancel(true);
        spindle.shutdown();
        simulation.run();

        assertThat(spindle.isTerminated()).isTrue();
    }
}
