// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** K3: {@code Async} stages run on the lane of their future, in the order in which they were attached. */
@Timeout(120)
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway"}) // the stages record their runs; the JDK passes null
class StageOrderContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());

    /** A way to obtain the future of a task of a lane; {@code gate} ends the task. */
    record Source(String name, BiFunction<Lane, Gate, CompletableFuture<?>> of) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Source> sources() {
        return List.of(
                new Source("submit of a Runnable", (lane, gate) -> lane.submit((Runnable) gate)),
                new Source(
                        "submit of a Callable",
                        (lane, gate) -> lane.submit(() -> {
                            gate.run();
                            return 1;
                        })),
                new Source("submit with a result", (lane, gate) -> lane.submit(gate, "result")),
                new Source(
                        "submitAsync",
                        (lane, gate) -> lane.submitAsync(() -> {
                            gate.run();
                            return CompletableFuture.completedFuture(1);
                        })),
                new Source("coalesce", (lane, gate) -> lane.coalesce(gate)),
                new Source("coalesceSlot", (lane, gate) -> lane.coalesceSlot("slot", gate)),
                new Source("schedule", (lane, gate) -> future(lane.schedule(gate, 0, TimeUnit.MILLISECONDS))),
                new Source(
                        "derived", (lane, gate) -> lane.submit((Runnable) gate).thenApply(none -> 1)),
                new Source(
                        "derived in a turn",
                        (lane, gate) -> lane.submit((Runnable) gate).thenRunAsync(() -> {})),
                new Source("copy", (lane, gate) -> lane.submit((Runnable) gate).copy()),
                new Source(
                        "failed",
                        (lane, gate) -> lane.submit(() -> {
                            gate.run();
                            throw new IllegalStateException("expected");
                        })));
    }

    private static CompletableFuture<?> future(ScheduledFuture<?> task) {
        return (CompletableFuture<?>) task;
    }

    private static Stream<Lane> lanes(Spindle spindle) {
        return Stream.of(spindle.keyed("keys").at("key"), spindle.strand("strand"));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void k3_asyncStages_runOnTheLane_inTheOrderInWhichTheyWereAttached(Source source) {
        lanes(spindles.spindle()).forEach(lane -> {
            seen.clear();
            Gate gate = new Gate();
            CompletableFuture<?> future = source.of.apply(lane, gate);
            gate.awaitEntered();
            AtomicInteger elsewhere = new AtomicInteger();
            CompletableFuture<?> last = future;
            for (int i = 0; i < 200; i++) {
                int number = i;
                if (i == 100) {
                    gate.open(); // the others are attached while the future completes
                }
                last = future.handleAsync((value, failure) -> {
                    elsewhere.addAndGet(lane.isCurrent() ? 0 : 1);
                    return seen.add(number);
                });
            }
            result(last);
            result(future.handleAsync((value, failure) -> seen.add(200))); // attached when all is done

            assertThat(seen).isEqualTo(IntStream.rangeClosed(0, 200).boxed().toList());
            assertThat(elsewhere).hasValue(0);
        });
    }

    /** An {@code Async} method: attaches a stage that calls {@code Runnable} with values of two lanes. */
    record Method(String name, boolean fails, Attach attach) {
        interface Attach {
            CompletableFuture<?> to(CompletableFuture<String> future, CompletableFuture<String> other, Runnable body);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Method> methods() {
        Function<Runnable, Function<Object, Integer>> apply = body -> value -> {
            body.run();
            return 1;
        };
        return List.of(
                new Method("thenApplyAsync", false, (f, o, body) -> f.thenApplyAsync(apply.apply(body))),
                new Method("thenAcceptAsync", false, (f, o, body) -> f.thenAcceptAsync(v -> body.run())),
                new Method("thenRunAsync", false, (f, o, body) -> f.thenRunAsync(body)),
                new Method(
                        "handleAsync",
                        false,
                        (f, o, body) ->
                                f.handleAsync((v, t) -> apply.apply(body).apply(1))),
                new Method("whenCompleteAsync", false, (f, o, body) -> f.whenCompleteAsync((v, t) -> body.run())),
                new Method(
                        "thenComposeAsync",
                        false,
                        (f, o, body) -> f.thenComposeAsync(v -> {
                            body.run();
                            return CompletableFuture.completedFuture(1);
                        })),
                new Method(
                        "thenCombineAsync",
                        false,
                        (f, o, body) -> f.thenCombineAsync(o, (v, w) -> {
                            assertThat(w).isEqualTo("other");
                            body.run();
                            return v;
                        })),
                new Method(
                        "thenAcceptBothAsync",
                        false,
                        (f, o, body) -> f.thenAcceptBothAsync(o, (v, w) -> {
                            assertThat(v).isEqualTo("value");
                            body.run();
                        })),
                new Method("runAfterBothAsync", false, (f, o, body) -> f.runAfterBothAsync(o, body)),
                new Method(
                        "applyToEitherAsync",
                        false,
                        (f, o, body) ->
                                f.applyToEitherAsync(o, v -> apply.apply(body).apply(v))),
                new Method("acceptEitherAsync", false, (f, o, body) -> f.acceptEitherAsync(o, v -> body.run())),
                new Method("runAfterEitherAsync", false, (f, o, body) -> f.runAfterEitherAsync(o, body)),
                new Method(
                        "exceptionallyAsync",
                        true,
                        (f, o, body) -> f.exceptionallyAsync(t -> {
                            body.run();
                            return "value";
                        })),
                new Method(
                        "exceptionallyComposeAsync",
                        true,
                        (f, o, body) -> f.exceptionallyComposeAsync(t -> {
                            body.run();
                            return CompletableFuture.completedFuture("value");
                        })),
                new Method(
                        "completeAsync",
                        false,
                        (f, o, body) -> f.<String>newIncompleteFuture().completeAsync(() -> {
                            body.run();
                            return "value";
                        })),
                new Method(
                        "defaultExecutor",
                        false,
                        (f, o, body) -> CompletableFuture.runAsync(body, f.defaultExecutor())));
    }

    /** Attached before the future is done, and afterwards; the other future may be done first, and be of any kind. */
    @ParameterizedTest
    @MethodSource("methods")
    void k3_eachAsyncMethod_runsOnTheLane(Method method) {
        Spindle spindle = spindles.spindle();
        Lane bob = spindle.keyed("keys").at("bob");
        for (boolean late : new boolean[] {false, true}) {
            for (CompletableFuture<String> other :
                    List.of(CompletableFuture.completedFuture("other"), bob.submit(() -> "other"))) {
                lanes(spindle).forEach(lane -> {
                    Gate gate = new Gate();
                    CompletableFuture<String> future = lane.submit(() -> {
                        gate.run();
                        if (method.fails) {
                            throw new IllegalStateException("expected");
                        }
                        return "value";
                    });
                    result(other);
                    if (late) {
                        gate.open();
                        until(future::isDone);
                    }
                    AtomicReference<Object> where = new AtomicReference<>();
                    CompletableFuture<?> stage = method.attach.to(future, other, () -> where.set(lane.isCurrent()));
                    gate.open();
                    result(stage);
                    assertThat(where).hasValue(true);
                });
            }
        }
    }

    /** What the JDK's futures hand to a function, ours do too: a failure that is wrapped once, a cancellation. */
    @Test
    void stages_failAsThoseOfTheJdk() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        IllegalStateException thrown = new IllegalStateException("expected");
        CompletableFuture<String> ours = lane.submit(() -> {
            throw thrown;
        });
        CompletableFuture<String> jdk = new CompletableFuture<>();
        jdk.completeExceptionally(thrown);
        lane.pause(); // or the task might end before it is cancelled
        CompletableFuture<String> cancelled = lane.submit(() -> "value");
        cancelled.cancel(true);
        lane.resume();
        CompletableFuture<String> jdkCancelled = new CompletableFuture<>();
        jdkCancelled.cancel(true);
        List<Function<CompletableFuture<String>, CompletableFuture<?>>> chains = List.of(
                f -> f.handleAsync((v, t) -> String.valueOf(t)),
                f -> f.thenApplyAsync(v -> v).handleAsync((v, t) -> t + " " + t.getCause()),
                f -> f.thenApplyAsync(v -> v).exceptionallyAsync(t -> t.getClass() + " of " + t.getCause()),
                f -> f.thenRunAsync(() -> {}).handle((v, t) -> t.getClass() + " of " + t.getCause()),
                f -> f.handleAsync((v, t) -> {
                            throw thrown;
                        })
                        .handleAsync((v, t) -> t.getClass() + " of " + t.getCause()));
        for (Function<CompletableFuture<String>, CompletableFuture<?>> chain : chains) {
            assertThat(TestSupport.<Object>result(chain.apply(ours))).isEqualTo(result(chain.apply(jdk)));
            assertThat(TestSupport.<Object>result(chain.apply(cancelled))).isEqualTo(result(chain.apply(jdkCancelled)));
        }
        assertThatThrownBy(() -> ours.thenApplyAsync(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void k3_stagesOfOneLane_runInTheOrderOfTheirTasks() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        for (int i = 0; i < 20_000; i++) {
            int number = i;
            last = lane.submit(() -> number).thenAcceptAsync(seen::add);
        }
        result(last);
        assertThat(seen).isEqualTo(IntStream.range(0, 20_000).boxed().toList());
    }

    @Test
    void k3_stageOfAPlainTask_runsOnAWorkerOfTheSpindle() {
        Spindle spindle = spindles.of(spindles.builder().name("mine"));
        LogicalExecutor one = spindle.executor("one", 1);
        for (java.util.concurrent.ScheduledExecutorService executor : List.of(spindle, one)) {
            Gate gate = new Gate();
            CompletableFuture<?> future = (CompletableFuture<?>) executor.submit(gate);
            gate.awaitEntered();
            List<String> threads = Collections.synchronizedList(new ArrayList<>());
            CompletableFuture<?> early =
                    future.thenRunAsync(() -> threads.add(Thread.currentThread().getName()));
            gate.open();
            result(early);
            result(future.thenRunAsync(() -> threads.add(Thread.currentThread().getName())));
            assertThat(threads).hasSize(2).allMatch(name -> name.startsWith("mine"));
        }
        until(() -> one.stats().completed() == 3); // counted after the stage is done
    }

    /** The JDK notifies the last stage first; an executor argument keeps this, even if it is the lane. */
    @Test
    void trap_stagesWithAnExecutorArgument_runInTheReverseOrder() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        Gate gate = new Gate();
        CompletableFuture<?> future = lane.submit((Runnable) gate);
        CompletableFuture<Boolean> first = future.thenApplyAsync(v -> seen.add(1), lane);
        CompletableFuture<Boolean> second = future.thenApplyAsync(v -> seen.add(2), lane);
        gate.open();
        result(first);
        result(second);
        assertThat(seen).containsExactly(2, 1);
    }

    // ---------------------------------------------------------------- keys, pauses, bounds

    @Test
    void k8_pausedLane_holdsBackItsStages_andCancelPendingCancelsThem() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        CompletableFuture<Integer> future = lane.submit(() -> 1);
        result(future);
        lane.pause();
        CompletableFuture<Boolean> held = future.thenApplyAsync(v -> seen.add(1));
        CompletableFuture<Boolean> after = held.thenApplyAsync(v -> seen.add(2));
        assertThat(held).isNotDone();

        assertThat(lane.cancelPending()).isEmpty();

        assertThat(held).isCancelled();
        CompletableFuture<Boolean> later = future.thenApplyAsync(v -> seen.add(3));
        lane.resume();
        assertThat(result(later)).isTrue();
        assertThat(after)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(CancellationException.class);
        assertThat(seen).containsExactly(3);
    }

    @Test
    void k7_lateStageOfAForgottenKey_runsInTheLaneOfTheKey() {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofMillis(1)));
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<Integer> future = keys.submit("key", () -> 1);
        until(() -> future.isDone() && spindle.stats().keys() == 0);
        Gate gate = new Gate();
        keys.execute("key", gate); // a new lane
        gate.awaitEntered();
        CompletableFuture<Boolean> stage =
                future.thenApplyAsync(v -> keys.at("key").isCurrent());
        TestSupport.passThrough(spindle);
        assertThat(stage).isNotDone();
        gate.open();
        assertThat(result(stage)).isTrue();
    }

    @Test
    void f4_bound_refusesNoStage() {
        Spindle spindle = spindles.of(spindles.builder().capacity(1, OnFull.reject()));
        LogicalExecutor one = spindle.executorBuilder("one")
                .maxConcurrency(1)
                .capacity(1, OnFull.dropOldest())
                .build();
        Lane lane = spindle.<String>keyedBuilder("keys")
                .keyCapacity(1, OnFull.dropOldest())
                .build()
                .at("key");
        for (java.util.concurrent.ScheduledExecutorService executor : List.of(spindle, lane, one)) {
            Gate gate = new Gate();
            CompletableFuture<?> future = (CompletableFuture<?>) executor.submit(gate);
            gate.awaitEntered();
            List<CompletableFuture<?>> stages = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                stages.add(future.thenRunAsync(() -> {}));
            }
            gate.open();
            stages.forEach(TestSupport::result);
        }
    }

    /** A pool of one thread, and a chain and a number of stages that would overflow a stack or hold a turn. */
    @Test
    void f5_longChains_overflowNoStack() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Lane lane = spindle.keyed("keys").at("key");
        CountDownLatch begin = new CountDownLatch(1);
        CompletableFuture<Integer> first = lane.submit(() -> {
            await(begin);
            return 0;
        });
        CompletableFuture<Integer> chain = first;
        CompletableFuture<Integer> plain = first;
        for (int i = 0; i < 50_000; i++) {
            chain = chain.thenApplyAsync(v -> v + 1);
            plain = plain.thenApply(v -> v + 1);
        }
        begin.countDown();
        assertThat(result(chain)).isEqualTo(50_000);
        assertThat(result(plain)).isEqualTo(50_000);
    }

    @Test
    void n1_manyStagesOfOneFuture_letOtherWorkRun() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Lane lane = spindle.keyed("keys").at("key");
        Gate gate = new Gate();
        CompletableFuture<?> future = lane.submit((Runnable) gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<?> last = future;
        for (int i = 0; i < 10_000; i++) {
            last = future.thenRunAsync(ran::incrementAndGet);
        }
        AtomicInteger before = new AtomicInteger();
        spindle.execute(() -> before.set(ran.get()));
        gate.open();
        result(last);
        assertThat(before.get()).isLessThan(200);
    }

    @Test
    void k1_keyCodeThatThrows_failsTheStageAlone() {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        Object key = new Object() {
            @Override
            public int hashCode() {
                if (thrown.get() != null) {
                    throw thrown.get();
                }
                return 1;
            }
        };
        CompletableFuture<Integer> future = spindles.spindle().keyed("keys").submit(key, () -> 1);
        result(future);
        thrown.set(new IllegalStateException("key code"));
        assertThatThrownBy(() -> result(future.thenRunAsync(() -> {})))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("key code");
        thrown.set(null);
        result(future.thenRunAsync(() -> {}));
    }

    // ---------------------------------------------------------------- context and interrupts

    @Test
    void a4_stage_runsInTheContextOfItsAttachment_withAClearInterruptFlag() {
        ThreadLocal<String> context = ThreadLocal.withInitial(() -> "none");
        Spindle spindle = spindles.of(spindles.builder().taskDecorator(task -> {
            String captured = context.get();
            return () -> {
                context.set(captured);
                try {
                    task.run();
                } finally {
                    context.remove();
                }
            };
        }));
        context.set("submit");
        CompletableFuture<?> future = spindle.keyed("keys").at("key").submit(() -> {
            Thread.currentThread().interrupt();
            return 1;
        });
        context.set("first");
        CompletableFuture<String> first = future.thenApplyAsync(v -> context.get() + Thread.interrupted());
        context.set("second");
        CompletableFuture<String> second = first.thenApplyAsync(v -> v + " " + context.get() + Thread.interrupted());
        assertThat(result(second)).isEqualTo("firstfalse secondfalse");
    }

    @Test
    void stageThatIsCancelled_doesNotRun_andHoldsUpNoOther() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        Gate gate = new Gate();
        CompletableFuture<?> future = lane.submit((Runnable) gate);
        gate.awaitEntered();
        CompletableFuture<Boolean> first = future.thenApplyAsync(v -> seen.add(1));
        CompletableFuture<Boolean> second = future.thenApplyAsync(v -> seen.add(2));
        first.cancel(true);
        gate.open();
        result(second);
        assertThat(seen).containsExactly(2);
        assertThatThrownBy(first::join).isInstanceOf(CancellationException.class);
    }
}
