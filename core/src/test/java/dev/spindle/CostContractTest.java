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
 * What the operations of the public face cost, in what they grow: docs/costs.md names a case of this class for each.
 * Ten times the operations, among ten times as many keys, timers and executors of others, may take at most fifteen
 * times as long. An operation whose cost grows in proportion to any of these would make it a hundred times. Counted is
 * the time that threads have run, which the machine's other work does not lengthen.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings({"FutureReturnValueIgnored", "UnnecessaryLambda"}) // nothing depends on them here
class CostContractTest {
    private static final int SMALL = 10_000;
    private static final int MOST_ROUNDS = 12;
    private static final long LEAST_NANOS = 1_000_000; // less is as good as nothing
    private static final Runnable NOTHING = () -> {};
    private static final Duration LONG = Duration.ofHours(1);

    /**
     * Does an operation {@code n} times among {@code n} of whatever may be many; returns how many nanoseconds that
     * took.
     */
    interface Load {
        long run(int n) throws Exception;
    }

    record Case(String name, Load load) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                submits("plain", (spindle, i) -> spindle.execute(NOTHING)),
                submits("tagged", (spindle, i) -> spindle.execute(new Tagged(i))),
                submits("key", (spindle, i) -> spindle.keyed().execute(0, NOTHING)),
                submits("keys", (spindle, i) -> spindle.keyed().execute(i, NOTHING)),
                submits("spaces", (spindle, i) -> spindle.keyed("s" + i).execute(0, NOTHING)),
                submits("coalesce", (spindle, i) -> spindle.keyed().coalesce(0, NOTHING)),
                submits("slots", (spindle, i) -> spindle.keyed().coalesce(0, i, NOTHING)),
                among("pause", CostContractTest::manyKeys, (spindle, i) -> {
                    spindle.keyed().pause(i);
                    spindle.keyed().resume(i);
                }),
                among(
                        "quiesce",
                        CostContractTest::manyKeys,
                        (spindle, i) -> spindle.keyed().quiesce(i)),
                among(
                        "snapshot",
                        CostContractTest::manyKeys,
                        (spindle, i) -> spindle.keyed().snapshot(i)),
                among(
                        "cancelPendingOfOne",
                        CostContractTest::manyKeys,
                        (spindle, i) -> spindle.keyed().cancelPending(i)),
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
                    strand.schedule(NOTHING, LONG);
                    strand.shutdownNow();
                }),
                among(
                        "logicalExecutor",
                        CostContractTest::manyTimers,
                        (spindle, i) -> spindle.executor("e").build().shutdown()),
                among("logicalExecutorWithTimer", CostContractTest::manyTimers, (spindle, i) -> {
                    LogicalExecutor executor = spindle.executor("e").build();
                    executor.schedule(NOTHING, 1, TimeUnit.HOURS);
                    executor.shutdownNow();
                }),
                among(
                        "logicalExecutorAmongOthers",
                        CostContractTest::manyExecutors,
                        (spindle, i) -> spindle.executor("e").build().shutdownNow()),
                new Case("cancel", CostContractTest::cancelQueued),
                new Case("cancelPending", CostContractTest::cancelPending),
                new Case("invokeAll", CostContractTest::invokeAll),
                new Case("busiest", CostContractTest::busiest),
                ends("shutdownNowPlain", (spindle, i) -> spindle.execute(NOTHING)),
                ends("shutdownNowKey", (spindle, i) -> spindle.keyed().execute(0, NOTHING)),
                ends("shutdownNowKeys", (spindle, i) -> spindle.keyed().execute(i, NOTHING)),
                ends("shutdownNowMixed", (spindle, i) -> {
                    spindle.keyed().execute(i, NOTHING);
                    spindle.execute(NOTHING);
                }),
                ends("shutdownNowSlots", (spindle, i) -> spindle.keyed().coalesce(0, i, NOTHING)),
                ends("shutdownNowTimers", (spindle, i) -> spindle.schedule(NOTHING, i + 3_600, TimeUnit.SECONDS)),
                new Case("shutdownNowOfLogicalExecutor", CostContractTest::shutdownNowOfLogicalExecutor),
                new Case("dropOldestPlain", n -> dropOldest(n, spindle -> i -> () -> spindle.execute(NOTHING))),
                new Case(
                        "dropOldestKey",
                        n -> dropOldest(n, spindle -> i -> () -> spindle.keyed().execute(0, NOTHING))),
                new Case("dropOldestOfLogicalExecutor", CostContractTest::dropOldestOfLogicalExecutor));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void u2_tenTimesTheLoad_takesAtMostFifteenTimesAsLong(Case of) throws Exception {
        long small = Long.MAX_VALUE;
        long large = Long.MAX_VALUE;
        // The least of several rounds is the one without compilations and collections. A cost of a higher order shows
        // in all.
        for (int round = 0; round < MOST_ROUNDS && (round == 0 || large > 15 * small); round++) {
            small = Math.min(small, Math.max(LEAST_NANOS, of.load.run(SMALL)));
            large = Math.min(large, of.load.run(10 * SMALL));
        }
        assertThat((double) large / small)
                .as("%s: %d in %,d ns, %d in %,d ns", of, SMALL, small, 10 * SMALL, large)
                .isLessThanOrEqualTo(15);
    }

    // ---------------------------------------------------------------- operations

    private interface Operation {
        void on(Spindle spindle, int i) throws Exception;
    }

    /** One worker; what is dropped is told to nobody. */
    private static SpindleBuilder builder() {
        return Spindle.builder().core(1).max(1).linger(LONG).onFailure((key, task, failure) -> {});
    }

    private static Spindle spindle() {
        return builder().build();
    }

    private static void end(Spindle spindle) throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Submits behind a task that does not end, then lets all run. */
    private static Case submits(String name, Operation submit) {
        return new Case(name, n -> {
            Spindle spindle = spindle();
            Gate gate = new Gate();
            spindle.execute(gate);
            CpuTime cpu = CpuTime.start();
            for (int i = 0; i < n; i++) {
                submit.on(spindle, i);
            }
            gate.open();
            assertThat(TestSupport.result(spindle.submit(() -> 1))).isEqualTo(1); // what was submitted before has run
            long took = cpu.nanos();
            end(spindle);
            return took;
        });
    }

    /** Does an operation n times beside n keys, timers or executors that are not concerned. */
    private static Case among(String name, Operation crowd, Operation operation) {
        return new Case(name, n -> {
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
        spindle.keyed().execute(i, NOTHING);
    }

    private static void manyTimers(Spindle spindle, int i) {
        ScheduledFuture<?> unused = spindle.schedule(NOTHING, i + 3_600, TimeUnit.SECONDS);
    }

    private static final List<LogicalExecutor> KEPT = Collections.synchronizedList(new ArrayList<>());

    private static void manyExecutors(Spindle spindle, int i) {
        if (i == 0) {
            KEPT.clear();
        }
        KEPT.add(spindle.executor("e").build());
    }

    /** Measures a shutdownNow of n tasks that wait behind one. */
    private static Case ends(String name, Operation submit) {
        return new Case(name, n -> {
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
        spindle.keyed().execute(0, gate);
        gate.awaitEntered();
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            futures.add(spindle.keyed().submit(0, NOTHING));
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
        spindle.keyed().execute(0, gate);
        gate.awaitEntered();
        for (int i = 0; i < n; i++) {
            spindle.keyed().execute(0, NOTHING);
        }
        CpuTime cpu = CpuTime.start();
        List<Runnable> left = spindle.keyed().cancelPending(0);
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
            spindle.keyed().execute(i, NOTHING);
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
        LogicalExecutor executor = spindle.executor("e").build();
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
        Spindle spindle = builder().capacity(16).onFull(OnFull.dropOldest()).build();
        Gate gate = new Gate();
        spindle.keyed().execute(0, gate);
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

    private static long dropOldestOfLogicalExecutor(int n) throws InterruptedException {
        Spindle spindle = spindle();
        LogicalExecutor executor = spindle.executor("e")
                .maxConcurrency(1)
                .queueCapacity(16)
                .onFull(OnFull.dropOldest())
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
