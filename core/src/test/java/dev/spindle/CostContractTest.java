// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U2: ten times the load takes at most fifteen times the time. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CostContractTest {
    private static final long LEAST_NANOS = Duration.ofMillis(100).toNanos(); // shorter ones say little

    private static void nothing() {}

    /** Does so many operations, and returns how long they took. */
    private interface Load {
        long nanos(int count) throws Exception;
    }

    private static void assertLinear(int count, Load load) throws Exception {
        load.nanos(count); // warms up
        long one = Math.min(load.nanos(count), load.nanos(count));
        long ten = Math.min(load.nanos(10 * count), load.nanos(10 * count)); // so that no collection decides

        assertThat(ten)
                .as("nanoseconds for %d; for %d it took %d", 10 * count, count, one)
                .isLessThanOrEqualTo(15 * Math.max(one, LEAST_NANOS));
    }

    /** A spindle whose only worker is busy. */
    private static final class Busy implements AutoCloseable {
        final CountDownLatch end = new CountDownLatch(1);
        final Spindle spindle;

        Busy(SpindleBuilder builder) throws InterruptedException {
            spindle = builder.core(1).max(1).build();
            CountDownLatch begun = new CountDownLatch(1);
            spindle.execute(() -> {
                begun.countDown();
                while (end.getCount() > 0) {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        // the shutdown's
                    }
                }
            });
            begun.await();
        }

        @Override
        public void close() {
            end.countDown();
            spindle.shutdownNow();
            spindle.close();
        }
    }

    private static long shutdownNow(ExecutorService executor, int expected) {
        System.gc(); // what was submitted would else be copied within the time
        long begin = System.nanoTime();
        List<Runnable> tasks = executor.shutdownNow();
        long nanos = System.nanoTime() - begin;
        assertThat(tasks).hasSize(expected);
        return nanos;
    }

    @Test
    void u2_shutdownNowOfPlainTasks_isLinear() throws Exception {
        assertLinear(50_000, count -> {
            try (Busy busy = new Busy(Spindle.builder())) {
                for (int i = 0; i < count; i++) {
                    busy.spindle.execute(CostContractTest::nothing);
                }
                return shutdownNow(busy.spindle, count);
            }
        });
    }

    @Test
    void u2_shutdownNowOfPlainTasksBehindLanes_isLinear() throws Exception {
        assertLinear(20_000, count -> {
            try (Busy busy = new Busy(Spindle.builder())) {
                for (int i = 0; i < count; i++) {
                    if (i % 5 == 0) {
                        busy.spindle.keyed().execute(i, CostContractTest::nothing);
                    }
                    busy.spindle.execute(CostContractTest::nothing);
                }
                return shutdownNow(busy.spindle, count + (count + 4) / 5);
            }
        });
    }

    @Test
    void u2_shutdownNowOfALogicalExecutor_isLinear() throws Exception {
        assertLinear(50_000, count -> {
            try (Busy busy = new Busy(Spindle.builder())) {
                LogicalExecutor executor = busy.spindle.executor("tasks").build();
                for (int i = 0; i < count; i++) {
                    executor.execute(CostContractTest::nothing);
                }
                return shutdownNow(executor, count);
            }
        });
    }

    @Test
    void u2_shutdownNowOfOneLane_isLinear() throws Exception {
        assertLinear(50_000, count -> {
            try (Busy busy = new Busy(Spindle.builder())) {
                Lane lane = busy.spindle.keyed().at("key");
                for (int i = 0; i < count; i++) {
                    lane.execute(CostContractTest::nothing);
                }
                return shutdownNow(busy.spindle, count);
            }
        });
    }

    @Test
    void u2_shutdownNowOfManyLanes_isLinear() throws Exception {
        assertLinear(10_000, count -> {
            try (Busy busy = new Busy(Spindle.builder())) {
                for (int i = 0; i < count; i++) {
                    busy.spindle.keyed().execute(i, CostContractTest::nothing);
                }
                return shutdownNow(busy.spindle, count);
            }
        });
    }

    @Test
    void u2_plainTasksThatDropTheOldest_areLinear() throws Exception {
        assertLinear(50_000, count -> {
            try (Busy busy = new Busy(quiet().capacity(16).onFull(OnFull.dropOldest()))) {
                return drop(busy, busy.spindle, count);
            }
        });
    }

    @Test
    void u2_tasksOfALogicalExecutorThatDropTheOldest_areLinear() throws Exception {
        assertLinear(50_000, count -> {
            try (Busy busy = new Busy(quiet())) {
                LogicalExecutor executor = busy.spindle
                        .executor("tasks")
                        .queueCapacity(16)
                        .onFull(OnFull.dropOldest())
                        .build();
                return drop(busy, executor, count);
            }
        });
    }

    @Test
    void u2_tasksOfALaneThatDropTheOldest_areLinear() throws Exception {
        assertLinear(50_000, count -> {
            try (Busy busy = new Busy(quiet().capacityPerKey(16).onFull(OnFull.dropOldest()))) {
                Lane lane = busy.spindle.keyed().at("key");
                long begin = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    lane.execute(CostContractTest::nothing);
                }
                return System.nanoTime() - begin;
            }
        });
    }

    @Test
    void u2_submitsToSlotsUsedOnce_areLinear() throws Exception {
        assertLinear(10_000, count -> {
            try (Busy busy = new Busy(Spindle.builder())) {
                Lane lane = busy.spindle.keyed().at("key");
                long begin = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    lane.coalesce(i, CostContractTest::nothing);
                }
                return System.nanoTime() - begin;
            }
        });
    }

    /** Drops are reported to the failure handler. */
    private static SpindleBuilder quiet() {
        return Spindle.builder().onFailure((key, task, failure) -> {});
    }

    private static long drop(Busy busy, ExecutorService executor, int count) {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            executor.execute(CostContractTest::nothing);
        }
        long nanos = System.nanoTime() - begin;
        assertThat(busy.end.getCount()).isEqualTo(1);
        return nanos;
    }
}
