// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import dev.spindle.internal.executor.DelayedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A2: delayed and periodic tasks. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class ScheduleContractTest {
    private static final Duration MILLI = Duration.ofMillis(1);

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger runs = new AtomicInteger();

    // ---------------------------------------------------------------- delayed

    @Test
    void a2_delayedTask_runsWhenDueAndNotBefore() {
        Spindle spindle = spindles.spindle();
        long start = System.nanoTime();
        List<ScheduledFuture<Long>> futures = new ArrayList<>();
        for (int delay : List.of(30, 10, 0, -5, 20)) {
            futures.add(spindle.schedule((Callable<Long>) System::nanoTime, delay, MILLISECONDS));
        }

        assertThat(result(futures.get(0)) - start).isGreaterThanOrEqualTo(30_000_000);
        assertThat(result(futures.get(1)) - start).isGreaterThanOrEqualTo(10_000_000);
        assertThat(result(futures.get(4)) - start).isGreaterThanOrEqualTo(20_000_000);
        futures.forEach(TestSupport::result);
    }

    /** A slow submitter may check only after the first run whether the executor is open. */
    @Test
    void f3_periodicTaskThatRanBeforeAShutdownThatItsSubmitterFinds_isCancelledAndNotRejected() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        DelayedTask<?> task = spindle.delay((Runnable) runs::incrementAndGet, 0, TimeUnit.HOURS.toNanos(1));
        until(() -> runs.get() == 1);
        result(spindle.submit(() -> {})); // the first run has ended

        assertThat(task.forget()).isFalse();
        assertThat(task.isCancelled()).isTrue();
    }

    /** The second submit finds the timers in use while the first one has yet to start a thread. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void a2_secondDelayedTaskWhileTheFirstStartsThePool_isAccepted(int reading) {
        AtomicReference<@Nullable Runnable> between = new AtomicReference<>();
        AtomicInteger readings = new AtomicInteger();
        Spindle spindle =
                spindles.of(Spindles.options().coreThreads(2).maxThreads(4).clock(() -> {
                    Runnable second = readings.incrementAndGet() == reading ? between.getAndSet(null) : null;
                    if (second != null) {
                        second.run();
                    }
                    return System.nanoTime();
                }));
        CompletableFuture<ScheduledFuture<?>> second = new CompletableFuture<>();
        between.set(() -> second.complete(spindle.schedule(runs::incrementAndGet, 1, MILLISECONDS)));
        readings.set(0);

        ScheduledFuture<?> first = spindle.schedule(runs::incrementAndGet, 1, MILLISECONDS);

        result(first);
        result(result(second));
        assertThat(runs).hasValue(2);
    }

    @Test
    void a2_delayedTask_entersItsLaneWhenDue() {
        Keyed<Long> keys = spindles.spindle().keyed("tasks");
        long delayMillis = 30;
        while (!entersWhenDue(keys.at(delayMillis), delayMillis)) {
            delayMillis *= 2;
        }
    }

    /** Returns false if the machine was so slow that the delayed task was due before the other one was submitted. */
    private static boolean entersWhenDue(Lane lane, long delayMillis) {
        List<String> ran = new ArrayList<>();
        lane.pause();
        long begin = System.nanoTime();
        ScheduledFuture<?> future = lane.schedule(() -> ran.add("delayed"), delayMillis, MILLISECONDS);
        lane.execute(() -> ran.add("submitted later, but before it was due"));
        int depth = lane.activity().pending();
        boolean inTime = System.nanoTime() - begin < MILLISECONDS.toNanos(delayMillis);
        until(() -> lane.activity().pending() == 2);
        lane.execute(() -> ran.add("after"));

        lane.resume();

        result(future);
        result(lane.quiesce());
        if (inTime) {
            assertThat(depth).isEqualTo(1);
            assertThat(ran).containsExactly("submitted later, but before it was due", "delayed", "after");
        }
        return inTime;
    }

    @Test
    void a2_future_completesWhenTheTaskRanNotWhenItWasDue() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        lane.pause();
        ScheduledFuture<?> future = lane.schedule(runs::incrementAndGet, MILLI.toNanos(), TimeUnit.NANOSECONDS);
        until(() -> lane.activity().pending() == 1);

        assertThat(future.isDone()).isFalse();
        assertThat(future.getDelay(TimeUnit.NANOSECONDS)).isLessThanOrEqualTo(0);

        lane.resume();
        result(future);
        assertThat(runs).hasValue(1);
    }

    @Test
    void a2_delayedCallable_givesItsResultOrItsFailure() {
        Spindle spindle = spindles.spindle();
        Exception failure = new Exception("expected");

        ScheduledFuture<String> good = spindle.schedule(() -> "value", 1, MILLISECONDS);
        ScheduledFuture<String> bad = spindle.schedule(
                (Callable<String>) () -> {
                    throw failure;
                },
                1,
                MILLISECONDS);

        assertThat(result(good)).isEqualTo("value");
        assertThatThrownBy(() -> result(bad)).cause().isSameAs(failure);
    }

    @Test
    void a2_cancelBeforeItIsDue_theTaskNeverRuns() throws Exception {
        Spindle spindle = spindles.spindle();
        ScheduledFuture<?> plain = spindle.schedule((Runnable) runs::incrementAndGet, 1, DAYS);
        ScheduledFuture<?> keyed = spindle.keyed("tasks").at("key").schedule(runs::incrementAndGet, 1, DAYS);

        assertThat(plain.cancel(false)).isTrue();
        assertThat(keyed.cancel(true)).isTrue();

        spindle.shutdown();
        assertThat(spindle.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(0);
    }

    @Test
    void a2_keyThatThrowsWhenTheTaskIsDue_failsTheFutureAndStopsNoOtherTimer() throws Exception {
        Spindle spindle = spindles.spindle();
        RuntimeException failure = new IllegalArgumentException("hash");
        Thread submitter = Thread.currentThread();
        Object key = new Object() {
            @Override
            public int hashCode() {
                if (Thread.currentThread() != submitter) {
                    throw failure;
                }
                return 1;
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return this == other;
            }

            @Override
            public String toString() {
                return "bad key";
            }
        };
        ScheduledFuture<?> future = spindle.keyed("tasks").at(key).schedule(runs::incrementAndGet, 20, MILLISECONDS);

        assertThatThrownBy(() -> result(future)).cause().isSameAs(failure);

        assertThat(result(spindle.schedule(() -> "other timer", 1, MILLISECONDS)))
                .isEqualTo("other timer");
        spindle.shutdown();
        assertThat(spindle.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    // ---------------------------------------------------------------- periodic

    @Test
    void a2_periodicTasks_neverOverlapThemselves() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(4));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        Runnable slow = () -> {
            if (inside.getAndIncrement() > 0) {
                overlaps.incrementAndGet();
            }
            LockSupport.parkNanos(2_000_000);
            inside.decrementAndGet();
            runs.incrementAndGet();
        };

        ScheduledFuture<?> future = spindle.scheduleAtFixedRate(slow, 0, 100, TimeUnit.MICROSECONDS);
        until(() -> runs.get() >= 20);
        future.cancel(false);
        until(() -> inside.get() == 0);
        int before = runs.get();
        future = spindle.scheduleWithFixedDelay(slow, 0, 1, TimeUnit.NANOSECONDS);
        until(() -> runs.get() >= before + 20);
        future.cancel(false);

        assertThat(overlaps).hasValue(0);
    }

    /** A periodic task whose run is superseded loses that run only. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a2_periodicCoalescingTaskThatIsSuperseded_goesOn(boolean fixedRate) {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("tasks");
        CoalescingTask beat = new CoalescingTask() {
            @Override
            public Object key() {
                return "key";
            }

            @Override
            public void run() {
                runs.incrementAndGet();
            }
        };
        ScheduledFuture<?> future = fixedRate
                ? spindle.scheduleAtFixedRate(beat, 0, 1, MILLISECONDS)
                : spindle.scheduleWithFixedDelay(beat, 0, 1, MILLISECONDS);
        for (int round = 0; round < 20; round++) {
            keys.at("key").pause();
            until(() -> keys.at("key").activity().pending() == 1);
            until(
                    () -> { // once, since a task that was about to start before the pause also runs the newer one
                        CompletableFuture<Boolean> newer = keys.coalesce("key", () -> {});
                        return !result(newer); // superseded by the next run
                    });
            int before = runs.get();
            keys.at("key").resume();
            until(() -> runs.get() > before + 1);
            assertThat(future.isDone()).isFalse();
        }

        keys.at("key").pause();
        until(() -> keys.at("key").activity().pending() == 1);
        keys.coalesce("key", () -> {});
        assertThat(future.cancel(false)).isTrue();
        keys.at("key").resume();
        result(keys.at("key").quiesce());
        int last = runs.get();
        result(keys.at("key").schedule(() -> {}, 5, MILLISECONDS));
        assertThat(runs).hasValue(last);
    }

    @Test
    void a2_periodicCoalescingTaskSupersededAfterAShutdown_isCancelled() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        Strand strand = spindle.strand("s");
        ScheduledFuture<?> future = strand.scheduleAtFixedRate(
                new CoalescingTask() {
                    @Override
                    public Object key() {
                        return "unused";
                    }

                    @Override
                    public void run() {
                        runs.incrementAndGet();
                    }
                },
                0,
                1,
                MILLISECONDS);
        strand.pause();
        until(() -> strand.activity().pending() == 1);
        CompletableFuture<Boolean> newer = strand.coalesce(runs::incrementAndGet);
        strand.shutdown();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThat(result(newer)).isNotNull();
    }

    @Test
    void a2_fixedDelay_countsFromTheEnd() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        List<Long> times = new ArrayList<>(); // start, end, start, end, ...
        ScheduledFuture<?> future = lane.scheduleWithFixedDelay(
                () -> {
                    times.add(System.nanoTime());
                    LockSupport.parkNanos(8_000_000);
                    times.add(System.nanoTime());
                    runs.incrementAndGet();
                },
                0,
                5,
                MILLISECONDS);

        until(() -> runs.get() >= 4);
        future.cancel(false);
        result(lane.quiesce());

        for (int i = 1; i + 1 < times.size(); i += 2) {
            assertThat(times.get(i + 1) - times.get(i)).isGreaterThanOrEqualTo(5_000_000);
        }
    }

    @Test
    void a2_fixedRate_countsFromTheFirstDueTime() {
        Spindle spindle = spindles.spindle();
        long start = System.nanoTime();
        List<Long> starts = new ArrayList<>();
        ScheduledFuture<?> future = spindle.keyed("tasks")
                .at("key")
                .scheduleAtFixedRate(
                        () -> {
                            starts.add(System.nanoTime());
                            if (runs.getAndIncrement() == 1) {
                                LockSupport.parkNanos(30_000_000); // several periods, which are made up for
                            }
                        },
                        10,
                        10,
                        MILLISECONDS);

        until(() -> runs.get() >= 6);
        future.cancel(false);
        result(spindle.keyed("tasks").at("key").quiesce());

        for (int i = 0; i < starts.size(); i++) {
            assertThat(starts.get(i) - start).isGreaterThanOrEqualTo((i + 1) * 10_000_000L);
        }
    }

    @Test
    void a2_periodicTaskThatThrows_stopsAndFailsItsFuture() {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        Error failure = new StackOverflowError("expected");
        Runnable task = () -> {
            if (runs.incrementAndGet() % 3 == 0) {
                throw failure;
            }
        };

        ScheduledFuture<?> rate = keys.at("key").scheduleAtFixedRate(task, 0, MILLI.toNanos(), TimeUnit.NANOSECONDS);
        assertThatThrownBy(() -> result(rate)).cause().isSameAs(failure);
        assertThat(runs).hasValue(3);
        ScheduledFuture<?> delay =
                keys.at("key").scheduleWithFixedDelay(task, 0, MILLI.toNanos(), TimeUnit.NANOSECONDS);
        assertThatThrownBy(() -> result(delay)).cause().isSameAs(failure);

        result(keys.at("key").schedule(() -> {}, 20, MILLISECONDS));
        assertThat(runs).hasValue(6);
        assertThat(spindles.takeFailures()).isEmpty(); // the failure went to the future alone
    }

    @Test
    void a2_periodicTaskThatIsCancelled_stops() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("tasks");
        Gate gate = new Gate();
        ScheduledFuture<?> running = keys.at("key")
                .scheduleAtFixedRate(
                        () -> {
                            runs.incrementAndGet();
                            gate.run();
                        },
                        0,
                        MILLI.toNanos(),
                        TimeUnit.NANOSECONDS);
        gate.awaitEntered();

        assertThat(running.cancel(false)).isTrue();
        gate.open();

        assertThat(running.isCancelled()).isTrue();
        result(keys.at("key").schedule(() -> {}, 20, MILLISECONDS));
        assertThat(runs).hasValue(1);
    }

    @Test
    void a2_periodThatIsNotPositive_throwsIllegalArgumentException() {
        Spindle spindle = spindles.spindle();
        Lane lane = spindle.keyed("tasks").at("key");
        Runnable task = runs::incrementAndGet;

        assertThatThrownBy(() -> spindle.scheduleAtFixedRate(task, 0, 0, MILLISECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThatThrownBy(() -> spindle.scheduleWithFixedDelay(task, 0, -7, MILLISECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-7");
        assertThatThrownBy(() -> lane.scheduleAtFixedRate(task, 0, 0, TimeUnit.NANOSECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThatThrownBy(() -> lane.scheduleWithFixedDelay(task, 0, -7, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-7");
    }

    @Test
    void a2_shutdown_cancelsPeriodicTasksAndRunsDelayedOnes() throws Exception {
        Spindle spindle = spindles.spindle();
        Lane lane = spindle.keyed("tasks").at("key");
        Gate gate = new Gate();
        List<ScheduledFuture<?>> periodic = List.of(
                spindle.scheduleAtFixedRate(() -> {}, 1, 1, DAYS),
                spindle.scheduleWithFixedDelay(() -> {}, 0, 1, MILLISECONDS),
                lane.scheduleAtFixedRate(gate, 0, MILLI.toNanos(), TimeUnit.NANOSECONDS),
                spindle.scheduleAtFixedRate(new EntryPoint.Sequential(() -> "key", () -> {}), 0, 1, MILLISECONDS));
        ScheduledFuture<?> delayed = spindle.schedule((Runnable) runs::incrementAndGet, 50, MILLISECONDS);
        ScheduledFuture<?> delayedOfKey = lane.schedule(runs::incrementAndGet, 50, MILLISECONDS);
        gate.awaitEntered();

        spindle.shutdown();
        gate.open();

        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(periodic).allMatch(ScheduledFuture::isCancelled);
        assertThat(delayed.isDone() && !delayed.isCancelled()).isTrue();
        assertThat(delayedOfKey.isDone() && !delayedOfKey.isCancelled()).isTrue();
        assertThat(runs).hasValue(2);
    }

    // ---------------------------------------------------------------- nothing shared

    @Test
    void a2_blockedTasks_blockNoTimer() {
        Spindle spindle = spindles.spindle();
        List<Gate> gates = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // more than core
            Gate gate = new Gate();
            gates.add(gate);
            spindle.keyed("tasks").at("blocked" + i).schedule(gate, 0, TimeUnit.NANOSECONDS);
        }
        gates.forEach(Gate::awaitEntered);

        assertThat(result(spindle.schedule(() -> "on time", 1, MILLISECONDS))).isEqualTo("on time");
        CompletableFuture<String> limited =
                spindle.keyed("tasks").at("limited").submitAsync(CompletableFuture::new, MILLI);
        assertThatThrownBy(() -> result(limited)).cause().hasMessageContaining("limited");

        gates.forEach(Gate::open);
    }

    @Test
    void a2_twoSpindles_shareNoState() throws Exception {
        Spindle blocked = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Spindle free = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Gate gate = new Gate();
        blocked.keyed("tasks").execute("key", gate);
        gate.awaitEntered();
        blocked.keyed("tasks").at("key").pause();
        blocked.schedule(() -> {}, 0, MILLISECONDS);

        CountDownLatch periods = new CountDownLatch(3);
        free.scheduleAtFixedRate(periods::countDown, 0, 1, MILLISECONDS);
        await(periods);
        result(free.keyed("tasks").submit("key", () -> {}));
        result(free.schedule(() -> {}, 1, MILLISECONDS));
        assertThat(free.stats().keys()).isEqualTo(1);
        gate.open();
        blocked.shutdown();

        assertThat(blocked.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        CountDownLatch more = new CountDownLatch(3);
        free.scheduleAtFixedRate(more::countDown, 0, 1, MILLISECONDS);
        await(more);
    }

    @Test
    void a2_delayedTask_comparesByItsTimeAndIsEqualToItselfAlone() {
        Spindle spindle = spindles.spindle();
        ScheduledFuture<?> sooner = spindle.schedule(() -> {}, 1, TimeUnit.HOURS);
        ScheduledFuture<?> later = spindle.schedule(() -> {}, 2, TimeUnit.HOURS);
        Delayed others = new Delayed() {
            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(90, TimeUnit.MINUTES);
            }

            @Override
            public int compareTo(Delayed other) {
                throw new AssertionError("must not be called");
            }
        };

        assertThat(sooner.compareTo(later)).isNegative();
        assertThat(later.compareTo(sooner)).isPositive();
        assertThat(sooner.compareTo(others)).isNegative();
        assertThat(later.compareTo(others)).isPositive();
        assertThat(sooner.equals(later)).isFalse();
        assertThat(Set.of(sooner, later)).contains(sooner, later);
        assertThat(List.of(sooner.cancel(false), later.cancel(false))).containsOnly(true);
        ScheduledFuture<?> done = spindle.schedule(() -> {}, 0, TimeUnit.NANOSECONDS);
        result(done);
        assertThat(done.cancel(false)).isFalse();
    }
}
