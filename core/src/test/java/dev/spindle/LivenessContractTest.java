// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * T7: the pool finishes all work that a fixed pool of its maximum would finish; and T3's bound on computing tasks,
 * which T7 suspends. Tasks that spin for one another need platform threads.
 */
@Timeout(120)
class LivenessContractTest {
    /** The number of tasks that may have begun before a given moment and end after it, under load too. */
    private static final int BEGUN_BEFORE = 64;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    @RegisterExtension
    private final Spindles spindles = new Spindles();

    private volatile boolean ends;

    @AfterEach
    void end() {
        ends = true;
    }

    /** Tasks that spin until all of them run. */
    private final class Spinners implements Runnable {
        private final AtomicInteger missing;
        private final CountDownLatch ended;

        Spinners(int count) {
            missing = new AtomicInteger(count);
            ended = new CountDownLatch(count);
        }

        @Override
        public void run() {
            missing.decrementAndGet();
            while (missing.get() > 0 && !ends) {
                Thread.onSpinWait();
            }
            ended.countDown();
        }

        void runOn(Function<Integer, Executor> executors) {
            int count = missing.get();
            for (int i = 0; i < count; i++) {
                executors.apply(i).execute(this);
            }
            await(ended);
        }
    }

    /**
     * Tasks that compute for about a given number of milliseconds and count how many of them run at once. This is also
     * a clock that stops if no task has ended for a while. Otherwise a machine that ran none of them for half a second
     * would make the pool add threads.
     */
    private static final class Computers implements Runnable, LongSupplier {
        private static final long LONGEST_GAP_NANOS = 300_000_000;
        private static final int STEPS_IN_A_MILLI = 700_000;

        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicLong sum = new AtomicLong();
        private volatile int steps;
        private volatile CountDownLatch ended = new CountDownLatch(0);
        private long lastEnd; // guarded by this, as the next field
        private long behind;

        @Override
        public synchronized long getAsLong() {
            long now = System.nanoTime() - behind;
            if (ended.getCount() > 0 && now - lastEnd > LONGEST_GAP_NANOS) {
                behind += now - lastEnd - LONGEST_GAP_NANOS;
                return lastEnd + LONGEST_GAP_NANOS;
            }
            return now;
        }

        private synchronized void noteEnd() {
            lastEnd = getAsLong();
        }

        @Override
        public void run() {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            long value = 1;
            for (int i = 0; i < steps; i++) {
                value = value * 6_364_136_223_846_793_005L + i;
            }
            sum.addAndGet(value); // so that the computation is not optimized away
            running.decrementAndGet();
            noteEnd();
            ended.countDown();
        }

        void expect(int count, int millis) {
            steps = millis * STEPS_IN_A_MILLI;
            noteEnd();
            ended = new CountDownLatch(count);
        }

        /** Waits until {@code count} tasks have ended, and returns the largest number that run at once from then on. */
        int awaitMostAfter(int count) {
            long all = ended.getCount();
            until(() -> all - ended.getCount() >= count);
            most.set(0);
            return awaitMost();
        }

        int awaitMost() {
            await(ended);
            return most.get();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 64, 8", "8, 8, 8", "1, 8, 8", "4, 12, 12"})
    void t7_tasksThatSpinUntilAllRun_allEnd(int core, int max, int tasks) {
        SpindleBuilder builder = spindles.builder().virtualThreads(false).maxThreads(max);
        Spindle spindle = spindles.of(core == 0 ? builder : builder.coreThreads(core));
        new Spinners(tasks).runOn(i -> spindle);
    }

    @ParameterizedTest
    @EnumSource
    void t7_tasksThatSpinUntilAllRunInAnyExecutor_allEnd(ElasticityContractTest.Entry entry) {
        Spindle spindle = spindles.of(spindles.builder().virtualThreads(false).maxThreads(64));
        new Spinners(8).runOn(entry.of(spindle));
    }

    private final Computers computers = new Computers();

    private Spindle withClock() {
        return spindles.of(Spindle.builder().maxThreads(64).clock(computers));
    }

    private int mostOf(Spindle spindle, int count, int millis) {
        computers.expect(count, millis);
        for (int i = 0; i < count; i++) {
            spindle.execute(computers);
        }
        return computers.awaitMost();
    }

    private static CountDownLatch sleepers(Spindle spindle) {
        CountDownLatch slept = new CountDownLatch(60);
        for (int i = 0; i < 60; i++) {
            spindle.execute(() -> {
                pause(300);
                slept.countDown();
            });
        }
        return slept;
    }

    private static void pause(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Test
    void t3_tasksThatComputeOnAFreshPool_haveAtMostTwoThreadsBeyondTheProcessors() {
        assertThat(mostOf(withClock(), 12, 60)).isLessThanOrEqualTo(PROCESSORS + 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 500})
    void t3_tasksThatComputeAfterManyThatSlept_haveAtMostTwoThreadsBeyondTheProcessors(int pauseMillis) {
        Spindle spindle = withClock();
        await(sleepers(spindle));
        pause(pauseMillis);
        assertThat(mostOf(spindle, 12, 60)).isLessThanOrEqualTo(PROCESSORS + 2);
    }

    /** All sleeping tasks wake at once, and more work is ready. */
    @Test
    void t3_tasksThatComputeBehindManyThatSleep_haveAtMostTwoThreadsBeyondTheProcessorsSoon() {
        Spindle spindle = withClock();
        CountDownLatch slept = sleepers(spindle);
        computers.expect(100 * PROCESSORS, 15);
        for (int i = 0; i < 100 * PROCESSORS; i++) {
            spindle.execute(computers);
        }
        await(slept);
        pause(200);
        assertThat(computers.most.get()).as("at any time").isLessThanOrEqualTo(Math.max(30, 2 * PROCESSORS));
        assertThat(computers.awaitMostAfter(BEGUN_BEFORE)).as("soon").isBetween(1, PROCESSORS + 2);
    }

    /** Each lane keeps its worker while no other work is ready. */
    @Test
    void t3_tasksThatComputeInLanesWhoseFirstTasksSlept_haveAtMostTwoThreadsBeyondTheProcessorsSoon() {
        Spindle spindle = withClock();
        Keyed<Integer> keys = spindle.keyed("keys");
        CountDownLatch slept = new CountDownLatch(60);
        computers.expect(60 * 2 * PROCESSORS, 15);
        for (int key = 0; key < 60; key++) {
            keys.execute(key, () -> {
                pause(300);
                slept.countDown();
            });
            for (int i = 0; i < 2 * PROCESSORS; i++) {
                keys.execute(key, computers);
            }
        }
        await(slept);
        pause(200);
        assertThat(computers.most.get()).as("at any time").isLessThanOrEqualTo(Math.max(30, 2 * PROCESSORS));
        assertThat(computers.awaitMostAfter(BEGUN_BEFORE)).as("soon").isBetween(1, PROCESSORS + 2);
    }

    /** The threads that were added for the spinning tasks do not raise the bound when these have ended. */
    @Test
    void t3_tasksThatComputeAfterManyThatSpun_haveAtMostTwoThreadsBeyondTheProcessorsSoon() {
        Spindle spindle = withClock();
        new Spinners(10).runOn(i -> spindle);
        pause(200);
        assertThat(mostOf(spindle, 12, 60)).isLessThanOrEqualTo(PROCESSORS + 2);
    }

    /** For longer than half a second no task ends, but actions of time limits do, which count as progress. */
    @Test
    void t7_limitsThatEnd_areProgress() {
        Spindle spindle = withClock();
        computers.expect(1_500, 1);
        for (int i = 0; i < 1_500; i++) {
            TimeLimit unused = TimeLimits.set(spindle, Duration.ZERO, computers);
        }
        assertThat(computers.awaitMost()).as("with the thread that completes").isLessThanOrEqualTo(PROCESSORS + 3);
    }
}
