// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class BulkheadTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();
    private final Backend backend = new Backend();
    private final Bulkhead bulkhead = Bulkhead.create(spindle, "db", Limiter.fixed(1), 2);
    private final Endpoint<String, String> endpoint =
            Endpoint.builder(spindle, "users", backend).bulkhead(bulkhead).build();

    @AfterEach
    void close() {
        simulation.close();
    }

    private CompletableFuture<Outcome<String>> call(String request) {
        return endpoint.call(request, Deadline.after(spindle, SECOND));
    }

    @Test
    void calls_beyondTheLimit_waitInOrderAndThenAreRejected() {
        call("a");
        call("b");
        call("c");
        CompletableFuture<Outcome<String>> rejected = call("d");

        assertThat(backend.requests).containsExactly("a");
        assertThat(rejected.join())
                .isEqualTo(new Outcome.Rejected<>(
                        "endpoint users was not called: bulkhead db (1 of 1 at once, 2 of 2 waiting)" + " is full"));
        backend.answer(0, "1");
        simulation.run();
        backend.answer(1, "2");
        simulation.run();
        assertThat(backend.requests).containsExactly("a", "b", "c");
        assertThat(bulkhead.stats().pending()).isZero();
        assertThat(bulkhead.stats().running()).isEqualTo(1);
        assertThat(bulkhead.stats().maxConcurrency()).isEqualTo(1);
        assertThat(bulkhead.stats().name()).isEqualTo("db");
    }

    private static void assertCounts(Stats stats, long accepted, long completed, long rejected, long dropped) {
        assertThat(List.of(stats.accepted(), stats.completed(), stats.rejected(), stats.dropped()))
                .as("accepted, completed, rejected and dropped of %s", stats)
                .containsExactly(accepted, completed, rejected, dropped);
    }

    @Test
    void m1_stats_countCallsByTheirEnds() {
        assertCounts(endpoint.stats(), 0, 0, 0, 0);
        call("a");
        CompletableFuture<Outcome<String>> cancelled = call("b");
        call("c");
        call("d");
        cancelled.cancel(true);
        assertThat(bulkhead.tryAcquire()).isNull();

        assertCounts(bulkhead.stats(), 3, 0, 2, 1);
        assertThat(bulkhead.stats().capacity()).isEqualTo(2);
        backend.answer(0, "1");
        simulation.run();
        assertCounts(bulkhead.stats(), 3, 1, 2, 1);
        backend.answer(1, "2");
        simulation.run();
        assertCounts(endpoint.stats(), 3, 2, 2, 1);
        assertThat(endpoint.stats().name()).isEqualTo("users");
        assertThat(bulkhead.stats().name()).isEqualTo("db");
    }

    @Test
    void b2_timeSpentWaiting_counts() {
        call("a");
        call("b");
        simulation.advance(Duration.ofMillis(400));
        backend.answer(0, "1");
        simulation.run();

        assertThat(backend.attempts.get(1).deadline().remaining()).isEqualTo(Duration.ofMillis(600));
    }

    @Test
    void b2_deadlineUsedUpWhileWaiting_isAnsweredWithoutACall() {
        endpoint.call("a", Deadline.after(spindle, SECOND.multipliedBy(2)));
        CompletableFuture<Outcome<String>> waiting = call("b");
        simulation.advance(SECOND);

        assertThat(waiting).isCompletedWithValue(new Outcome.TimedOut<>("endpoint users was not called in time"));
        assertThat(bulkhead.stats().pending()).isZero();
        backend.answer(0, "1");
        simulation.run();
        assertThat(backend.calls()).isEqualTo(1);
        assertThat(bulkhead.stats().running()).isZero();
    }

    @Test
    void b5_waitingCallCancelled_leavesTheQueueAtOnce() {
        call("a");
        CompletableFuture<Outcome<String>> second = call("b");
        call("c");
        second.cancel(true);
        assertThat(bulkhead.stats().pending()).isEqualTo(1);
        backend.answer(0, "1");
        simulation.run();

        assertThat(backend.requests).containsExactly("a", "c");
    }

    @Test
    void b5_cancelledBetweenTheGrantAndTheStart_givesThePermitBack() {
        call("a");
        CompletableFuture<Outcome<String>> second = call("b");
        CompletableFuture<Outcome<String>> third = call("c");
        backend.answer(0, "1"); // grants the permit; a worker starts the call later
        assertThat(bulkhead.stats().running()).isEqualTo(1);
        second.cancel(true);
        simulation.run();

        assertThat(backend.requests).containsExactly("a", "c");
        backend.answer(1, "3");
        assertThat(third.join()).isInstanceOf(Outcome.Value.class);
        assertThat(bulkhead.stats().running()).isZero();
    }

    @Test
    void b5_everyWayToEnd_givesThePermitBackOnce() {
        Runnable[] ways = {
            () -> backend.answer(backend.calls() - 1, "a"),
            () -> backend.fail(backend.calls() - 1, new IllegalStateException("broken")),
            () -> backend.stage(backend.calls() - 1).cancel(true),
            () -> simulation.advance(SECOND),
            () -> {
                backend.answer(backend.calls() - 1, "a");
                backend.answer(backend.calls() - 1, "again");
                simulation.advance(SECOND);
            },
        };
        for (Runnable way : ways) {
            CompletableFuture<Outcome<String>> answer = call("q");
            assertThat(bulkhead.stats().running()).isEqualTo(1);
            way.run();
            assertThat(answer).isDone();
            assertThat(bulkhead.stats().running()).isZero();
        }
        CompletableFuture<Outcome<String>> answer = call("q");
        answer.cancel(true);
        answer.complete(new Outcome.Value<>("x"));
        assertThat(bulkhead.stats().running()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // a call that returns null is one of the faults
    void b5_callThatThrowsOrReturnsNull_givesThePermitBack() {
        for (Call<String, String> call : List.<Call<String, String>>of(
                (q, attempt) -> {
                    throw new Error("broken");
                },
                (q, attempt) -> null)) {
            Endpoint<String, String> broken =
                    Endpoint.builder(spindle, "x", call).bulkhead(bulkhead).build();
            assertThat(broken.call("q", Deadline.after(spindle, SECOND)).join()).isInstanceOf(Outcome.Failed.class);
            assertThat(bulkhead.stats().running()).isZero();
        }
    }

    @Test
    void b5_callbackThatThrows_losesNoPermitAndNoWaiter() {
        call("a").thenAccept(outcome -> {
            throw new IllegalStateException("callback");
        });
        backend.attempts.get(0).onCancel(() -> {
            throw new IllegalStateException("hook");
        });
        List<Throwable> reported = new ArrayList<>();
        CompletableFuture<Outcome<String>> second = call("b");
        backend.answer(0, "1");
        simulation.run();
        backend.attempts.get(1).onCancel(() -> {
            throw new IllegalStateException("hook");
        });
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        second.cancel(true);
        Thread.currentThread().setUncaughtExceptionHandler(null);

        assertThat(bulkhead.stats().running()).isZero();
        assertThat(reported).hasSize(1);
    }

    @Test
    void b5_permitGivenBackTwice_countsOnce() {
        Permit permit = requireNonNull(bulkhead.tryAcquire());
        Permit none = bulkhead.tryAcquire();

        assertThat(none).isNull();
        assertThat(permit.success()).isTrue();
        assertThat(permit.overloaded()).isFalse();
        assertThat(permit.ignore()).isFalse();
        assertThat(bulkhead.stats().running()).isZero();
        assertThat(permit).hasToString("permit of bulkhead db (0 of 1 at once, 0 of 2 waiting), given back");
    }

    @Test
    void b5_limiterThatThrows_losesNoPermit() {
        AtomicInteger calls = new AtomicInteger();
        Limiter broken = new Limiter() {
            @Override
            public int maxConcurrency(long nanoTime) {
                if (calls.incrementAndGet() == 1) {
                    return 1;
                }
                throw new IllegalStateException("limit");
            }

            @Override
            public void ended(Sample sample) {
                throw new IllegalStateException("ended");
            }
        };
        Bulkhead own = Bulkhead.create(spindle, "own", broken, 5);
        Endpoint<String, String> guarded =
                Endpoint.builder(spindle, "x", backend).bulkhead(own).build();
        CompletableFuture<Outcome<String>> first = guarded.call("a", Deadline.after(spindle, SECOND));
        assertThat(guarded.call("b", Deadline.after(spindle, SECOND)).join()).isInstanceOf(Outcome.Failed.class);
        List<Throwable> reported = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        backend.answer(0, "1");
        Thread.currentThread().setUncaughtExceptionHandler(null);

        assertThat(first.join()).isInstanceOf(Outcome.Value.class);
        assertThat(own.stats().running()).isZero();
        assertThat(reported).extracting(Throwable::getMessage).containsExactly("ended");
    }

    @Test
    void limitThatGrows_letsThoseInFrontGoFirst() {
        int[] limit = {1};
        Limiter growing = new Limiter() {
            @Override
            public int maxConcurrency(long nanoTime) {
                return limit[0];
            }

            @Override
            public void ended(Sample sample) {}
        };
        Bulkhead own = Bulkhead.create(spindle, "own", growing, 5);
        Endpoint<String, String> guarded =
                Endpoint.builder(spindle, "x", backend).bulkhead(own).build();
        for (String request : List.of("a", "b", "c")) {
            guarded.call(request, Deadline.after(spindle, SECOND));
        }
        limit[0] = 3;
        guarded.call("d", Deadline.after(spindle, SECOND));
        simulation.run();

        assertThat(backend.requests).containsExactly("a", "b", "c");
        assertThat(own.stats().pending()).isEqualTo(1);
        limit[0] = 5;
        Permit unused = own.tryAcquire();
        simulation.run();
        assertThat(backend.requests).containsExactly("a", "b", "c", "d");
        assertThat(unused).isNull(); // the waiting calls come first
    }

    @Test
    void shutdown_aLongQueue_isRejectedWithoutADeepStack() {
        Bulkhead wide = Bulkhead.create(spindle, "wide", Limiter.fixed(1), 20_000);
        Endpoint<String, String> guarded =
                Endpoint.builder(spindle, "x", backend).bulkhead(wide).build();
        guarded.call("first", Deadline.after(spindle, SECOND));
        List<CompletableFuture<Outcome<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            waiting.add(guarded.call("q", Deadline.after(spindle, SECOND)));
        }
        spindle.shutdown();
        backend.answer(0, "a");

        assertThat(waiting).allMatch(answer -> answer.join() instanceof Outcome.Rejected<String>);
        assertThat(wide.stats().running()).isZero();
    }

    @Test
    void options_outOfRange_areRefused() {
        assertThatThrownBy(() -> Bulkhead.create(spindle, "x", Limiter.fixed(1), -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }
}
