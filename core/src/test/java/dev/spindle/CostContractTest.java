// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The growth of the costs of the public API with the number of keys, timers or executors of others. docs/costs.md has
 * the cost of each operation.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings({"FutureReturnValueIgnored", "UnnecessaryLambda"}) // the futures are not needed
class CostContractTest {
    private static final Runnable NOTHING = () -> {};
    private static final Duration LONG = Duration.ofHours(1);

    static Stream<Cost> cases() {
        return Stream.of(
                submits("plain", (spindle, i) -> spindle.execute(NOTHING)),
                submits("tagged", (spindle, i) -> spindle.execute(new Tagged(i))),
                submits("key", (spindle, i) -> spindle.keyed("tasks").execute(0, NOTHING)),
                submits("keys", (spindle, i) -> spindle.keyed("tasks").execute(i, NOTHING)),
                submits("spaces", (spindle, i) -> spindle.keyed("s" + i).execute(0, NOTHING)),
                submits("coalesce", (spindle, i) -> spindle.keyed("tasks").coalesce(0, NOTHING)),
                submits("slots", (spindle, i) -> spindle.keyed("tasks").at(0).coalesceSlot(i, NOTHING)),
                among("pause", CostContractTest::manyKeys, (spindle, i) -> {
                    spindle.keyed("tasks").at(i).pause();
                    spindle.keyed("tasks").at(i).resume();
                }),
                among(
                        "quiesce",
                        CostContractTest::manyKeys,
                        (spindle, i) -> spindle.keyed("tasks").at(i).quiesce()),
                among(
                        "snapshot",
                        CostContractTest::manyKeys,
                        (spindle, i) -> spindle.keyed("tasks").at(i).activity()),
                among(
                        "cancelPendingOfOne",
                        CostContractTest::manyKeys,
                        (spindle, i) -> spindle.keyed("tasks").at(i).cancelPending()),
                among(
                        "schedule",
                        CostContractTest::manyTimers,
                        (spindle, i) ->
                                spindle.schedule(NOTHING, i, TimeUnit.HOURS).cancel(false)),
                among(
                        "strand",
                        CostContractTest::manyTimers,
                        (spindle, i) -> spindle.strand("s").shutdown()),
                among("strandWithTimer", CostContractTest::manyTimers, (spindle, i) -> {
                    Strand strand = spindle.strand("s");
                    strand.schedule(NOTHING, LONG.toNanos(), TimeUnit.NANOSECONDS);
                    strand.shutdownNow();
                }),
                among(
                        "logicalExecutor",
                        CostContractTest::manyTimers,
                        (spindle, i) -> spindle.executorBuilder("e").build().shutdown()),
                among("logicalExecutorWithTimer", CostContractTest::manyTimers, (spindle, i) -> {
                    LogicalExecutor executor = spindle.executorBuilder("e").build();
                    executor.schedule(NOTHING, 1, TimeUnit.HOURS);
                    executor.shutdownNow();
                }),
                among(
                        "logicalExecutorAmongOthers",
                        CostContractTest::manyExecutors,
                        (spindle, i) -> spindle.executorBuilder("e").build().shutdownNow()),
                new Cost("cancel", CostContractTest::cancelQueued),
                new Cost("cancelPending", CostContractTest::cancelPending),
                new Cost("invokeAll", CostContractTest::invokeAll),
                new Cost("busiest", CostContractTest::busiest),
                ends("shutdownNowPlain", (spindle, i) -> spindle.execute(NOTHING)),
                ends("shutdownNowKey", (spindle, i) -> spindle.keyed("tasks").execute(0, NOTHING)),
                ends("shutdownNowKeys", (spindle, i) -> spindle.keyed("tasks").execute(i, NOTHING)),
                ends("shutdownNowMixed", (spindle, i) -> {
                    spindle.keyed("tasks").execute(i, NOTHING);
                    spindle.execute(NOTHING);
                }),
                ends(
                        "shutdownNowSlots",
                        (spindle, i) -> spindle.keyed("tasks").at(0).coalesceSlot(i, NOTHING)),
                ends("shutdownNowTimers", (spindle, i) -> spindle.schedule(NOTHING, i + 3_600, TimeUnit.SECONDS)),
                new Cost("shutdownNowOfLogicalExecutor", CostContractTest::shutdownNowOfLogicalExecutor),
                new Cost("dropOldestPlain", n -> dropOldest(n, spindle -> i -> () -> spindle.execute(NOTHING))),
                new Cost(
                        "dropOldestKey",
                        n -> dropOldest(
                                n, spindle -> i -> () -> spindle.keyed("tasks").execute(0, NOTHING))),
                new Cost("dropOldestOfManyOfAKey", CostContractTest::dropOldestOfMany),
                new Cost("dropOldestPlainAmongKeys", CostContractTest::dropOldestAmongKeys),
                new Cost("dropOldestOfLogicalExecutor", CostContractTest::dropOldestOfLogicalExecutor));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void u2_tenTimesTheLoad_takesAtMostFifteenTimesAsLong(Cost of) throws Exception {
        of.check();
    }

    // ---------------------------------------------------------------- operations

    private interface Operation {
        void on(Spindle spindle, int i) throws Exception;
    }

    /** Returns a builder of one worker whose failure handler ignores dropped tasks. */
    private static SpindleBuilder builder() {
        return Spindles.options()
                .coreThreads(1)
                .maxThreads(1)
                .keyKeepAlive(LONG)
                .onFailure((activity, failure) -> {});
    }

    private static Spindle spindle() {
        return builder().build();
    }

    private static void end(Spindle spindle) throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Submits behind a blocked task, then lets all tasks run. */
    private static Cost submits(String name, Operation submit) {
        return new Cost(name, n -> {
            Spindle spindle = spindle();
            Gate gate = new Gate();
            spindle.execute(gate);
            CpuTime cpu = CpuTime.start();
            for (int i = 0; i < n; i++) {
                submit.on(spindle, i);
            }
            gate.open();
            assertThat(TestSupport.result(spindle.submit(() -> 1))).isEqualTo(1); // the earlier tasks have run
            long took = cpu.nanos();
            end(spindle);
            return took;
        });
    }

    /** Performs an operation n times among n keys, timers or executors that it does not concern. */
    private static Cost among(String name, Operation crowd, Operation operation) {
        return new Cost(name, n -> {
            Spindle spindle = spindle();
            for (int i = 0; i < n; i++) {
                crowd.on(spindle, i);
            }
            CpuTime cpu = CpuTime.start();
            for (int i = 0; i < n; i++) {
                operation.on(spindle, i);
            }
            long took = cpu.nanos();
            end(spindle);
            return took;
        });
    }

    private static void manyKeys(Spindle spindle, int i) {
        spindle.keyed("tasks").execute(i, NOTHING);
    }

    private static void manyTimers(Spindle spindle, int i) {
        ScheduledFuture<?> unused = spindle.schedule(NOTHING, i + 3_600, TimeUnit.SECONDS);
    }

    private static final List<LogicalExecutor> KEPT = Collections.synchronizedList(new ArrayList<>());

    private static void manyExecutors(Spindle spindle, int i) {
        if (i == 0) {
            KEPT.clear();
        }
        KEPT.add(spindle.executorBuilder("e").build());
    }

    /** Measures a {@code shutdownNow} with n tasks that wait behind one. */
    private static Cost ends(String name, Operation submit) {
        return new Cost(name, n -> {
            Spindle spindle = spindle();
            Gate gate = new Gate();
            spindle.execute(gate);
            gate.awaitEntered();
            for (int i = 0; i < n; i++) {
                submit.on(spindle, i);
            }
            CpuTime cpu = CpuTime.start();
            List<Runnable> left = spindle.shutdownNow();
            long took = cpu.nanos();
            assertThat(left).hasSizeGreaterThanOrEqualTo(n);
            end(spindle);
            return took;
        });
    }

    private static long cancelQueued(int n) throws InterruptedException {
        Spindle spindle = spindle();
        Gate gate = new Gate();
        spindle.keyed("tasks").execute(0, gate);
        gate.awaitEntered();
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            futures.add(spindle.keyed("tasks").submit(0, NOTHING));
        }
        CpuTime cpu = CpuTime.start();
        futures.forEach(future -> future.cancel(false));
        long took = cpu.nanos();
        end(spindle);
        return took;
    }

    private static long cancelPending(int n) throws InterruptedException {
        Spindle spindle = spindle();
        Gate gate = new Gate();
        spindle.keyed("tasks").execute(0, gate);
        gate.awaitEntered();
        for (int i = 0; i < n; i++) {
            spindle.keyed("tasks").execute(0, NOTHING);
        }
        CpuTime cpu = CpuTime.start();
        List<Runnable> left = spindle.keyed("tasks").at(0).cancelPending();
        long took = cpu.nanos();
        assertThat(left).hasSize(n);
        end(spindle);
        return took;
    }

    private static long invokeAll(int n) throws InterruptedException {
        Spindle spindle = spindle();
        List<Callable<Integer>> tasks = Collections.nCopies(n, () -> 1);
        CpuTime cpu = CpuTime.start();
        assertThat(spindle.invokeAll(tasks)).hasSize(n);
        long took = cpu.nanos();
        end(spindle);
        return took;
    }

    private static long busiest(int n) throws InterruptedException {
        Spindle spindle = spindle();
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        for (int i = 0; i < n; i++) {
            spindle.keyed("tasks").execute(i, NOTHING);
        }
        CpuTime cpu = CpuTime.start();
        assertThat(spindle.busiest(10)).hasSize(10);
        long took = cpu.nanos();
        end(spindle);
        return took;
    }

    private static long shutdownNowOfLogicalExecutor(int n) throws InterruptedException {
        Spindle spindle = spindle();
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        LogicalExecutor executor = spindle.executorBuilder("e").build();
        for (int i = 0; i < n; i++) {
            executor.execute(NOTHING);
        }
        CpuTime cpu = CpuTime.start();
        assertThat(executor.shutdownNow()).hasSize(n);
        long took = cpu.nanos();
        end(spindle);
        return took;
    }

    private static long dropOldest(int n, Function<Spindle, IntFunction<Runnable>> submits)
            throws InterruptedException {
        Spindle spindle = builder().capacity(16, OnFull.dropOldest()).build();
        Gate gate = new Gate();
        spindle.keyed("tasks").execute(0, gate);
        gate.awaitEntered();
        IntFunction<Runnable> submit = submits.apply(spindle);
        CpuTime cpu = CpuTime.start();
        for (int i = 0; i < n; i++) {
            submit.apply(i).run();
        }
        long took = cpu.nanos();
        gate.open();
        end(spindle);
        return took;
    }

    /** Drops among n waiting tasks of the same key, the first half of which its turn has taken. */
    private static long dropOldestOfMany(int n) throws InterruptedException {
        Spindle spindle = builder().build();
        spindle.keyed("tasks").setKeyCapacity(n, OnFull.dropOldest());
        Keyed<Integer> keys = spindle.keyed("tasks");
        Gate taken = new Gate();
        keys.at(0).pause();
        keys.execute(0, taken);
        for (int i = 0; i < n / 2; i++) {
            keys.execute(0, NOTHING);
        }
        keys.at(0).resume();
        taken.awaitEntered();
        for (int i = 0; i < n - n / 2; i++) {
            keys.execute(0, NOTHING);
        }
        CpuTime cpu = CpuTime.start();
        for (int i = 0; i < n; i++) {
            keys.execute(0, NOTHING);
        }
        long took = cpu.nanos();
        assertThat(spindle.stats().dropped()).isEqualTo(n);
        taken.open();
        end(spindle);
        return took;
    }

    /** Drops among n keys that have earlier work. */
    private static long dropOldestAmongKeys(int n) throws InterruptedException {
        Spindle spindle = builder().capacity(n + 16, OnFull.dropOldest()).build();
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        for (int i = 0; i < n; i++) {
            spindle.keyed("tasks").execute(i, NOTHING);
        }
        for (int i = 0; i < 16; i++) {
            spindle.execute(NOTHING);
        }
        CpuTime cpu = CpuTime.start();
        for (int i = 0; i < n; i++) {
            spindle.execute(NOTHING);
        }
        long took = cpu.nanos();
        assertThat(spindle.stats().dropped()).isEqualTo(n);
        gate.open();
        end(spindle);
        return took;
    }

    private static long dropOldestOfLogicalExecutor(int n) throws InterruptedException {
        Spindle spindle = spindle();
        LogicalExecutor executor = spindle.executorBuilder("e")
                .maxConcurrency(1)
                .capacity(16, OnFull.dropOldest())
                .build();
        Gate gate = new Gate();
        executor.execute(gate);
        gate.awaitEntered();
        CpuTime cpu = CpuTime.start();
        for (int i = 0; i < n; i++) {
            executor.execute(NOTHING);
        }
        long took = cpu.nanos();
        gate.open();
        end(spindle);
        return took;
    }

    private record Tagged(Object key) implements SequentialTask {
        @Override
        public void run() {}
    }
}
