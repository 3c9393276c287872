// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code scheduleAtFixedRate} and {@code scheduleWithFixedDelay}. */
@SuppressWarnings("FutureReturnValueIgnored") // calls that must throw
abstract class PeriodicContract extends ServiceContract<ScheduledExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();

    PeriodicContract(Subject<? extends ScheduledExecutorService> subject) {
        super(subject);
    }

    /** Lets many periods of one millisecond pass. */
    private void letPeriodsPass() throws Exception {
        assertThat(result(executor.schedule(() -> "later", 20, MILLISECONDS))).isEqualTo("later");
    }

    private ScheduledFuture<?> start(ScheduledEntryPoint way, Runnable task) {
        return way.schedule(executor, task, 0, 1);
    }

    // ---------------------------------------------------------------- arguments

    @Test
    void periodic_null_throwsNullPointerException() {
        Runnable task = runs::incrementAndGet;
        assertThatThrownBy(() -> executor.scheduleAtFixedRate(Tasks.unsafeNull(), 1, 1, HOURS))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.scheduleAtFixedRate(task, 1, 1, Tasks.unsafeNull()))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.scheduleWithFixedDelay(Tasks.unsafeNull(), 1, 1, HOURS))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.scheduleWithFixedDelay(task, 1, 1, Tasks.unsafeNull()))
                .isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void periodic_periodIsNotPositive_throwsIllegalArgumentException(long period) {
        Runnable task = runs::incrementAndGet;
        assertThatThrownBy(() -> executor.scheduleAtFixedRate(task, 0, period, HOURS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> executor.scheduleWithFixedDelay(task, 0, period, HOURS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void periodic_initialDelayIsNotPositive_runsAtOnce(long delay) throws Exception {
        CountDownLatch ran = new CountDownLatch(2);

        executor.scheduleAtFixedRate(ran::countDown, delay, 1, HOURS);
        executor.scheduleWithFixedDelay(ran::countDown, delay, 1, HOURS);

        await(ran);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_hugePeriod_doesNotOverflow(ScheduledEntryPoint way) throws Exception {
        ScheduledFuture<?> future = way.schedule(executor, runs::incrementAndGet, 0, Long.MAX_VALUE);
        ScheduledFuture<?> later = way.schedule(executor, () -> runs.addAndGet(100), Long.MAX_VALUE, Long.MAX_VALUE);
        until(() -> runs.get() == 1);

        letPeriodsPass();

        assertThat(runs).hasValue(1);
        assertThat(future.isDone()).isFalse();
        assertThat(later.isDone()).isFalse();
        assertThat(later.getDelay(HOURS)).isPositive();
    }

    // ---------------------------------------------------------------- runs

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_runsAgainAndAgainAndIsNotDone(ScheduledEntryPoint way) throws Exception {
        CountDownLatch ran = new CountDownLatch(10);
        ScheduledFuture<?> future = start(way, ran::countDown);

        await(ran);

        assertPending(future);
        assertThat(future.cancel(false)).isTrue();
    }

    @Test
    void fixedRate_runsNotBeforeItsDueTimes() throws Exception {
        List<Long> starts = new CopyOnWriteArrayList<>();
        long begin = System.nanoTime();
        ScheduledFuture<?> future =
                executor.scheduleAtFixedRate(() -> starts.add(System.nanoTime()), 10, 4, MILLISECONDS);
        until(() -> starts.size() >= 5);
        future.cancel(false);

        for (int i = 0; i < 5; i++) {
            assertThat(starts.get(i) - begin).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(10 + 4L * i));
        }
    }

    @Test
    void fixedDelay_countsFromTheEndOfARun() throws Exception {
        List<Long> times = new CopyOnWriteArrayList<>(); // start, end, start, end, ...
        ScheduledFuture<?> future = executor.scheduleWithFixedDelay(
                () -> {
                    times.add(System.nanoTime());
                    LockSupport.parkNanos(
                            20_000_000); // as long as the delay: a delay from the start of a run would leave no pause
                    times.add(System.nanoTime());
                },
                0,
                20,
                MILLISECONDS);
        until(() -> times.size() >= 7);
        future.cancel(false);

        for (int i = 1; i + 1 < 7; i += 2) {
            assertThat(times.get(i + 1) - times.get(i)).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(20));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_runIsLongerThanThePeriod_neverOverlapsItself(ScheduledEntryPoint way) throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        ScheduledFuture<?> future = start(way, () -> {
            overlaps.addAndGet(inside.getAndIncrement());
            LockSupport.parkNanos(3_000_000);
            inside.decrementAndGet();
            runs.incrementAndGet();
        });

        until(() -> runs.get() >= 8);
        future.cancel(false);

        assertThat(overlaps).hasValue(0);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_whileARunLasts_theNextDoesNotStart(ScheduledEntryPoint way) throws Exception {
        Gate gate = gate();
        ScheduledFuture<?> future = start(way, () -> {
            runs.incrementAndGet();
            gate.run();
        });
        await(gate.entered());
        if (concurrency() > 1) {
            letPeriodsPass();
        }

        assertThat(runs).hasValue(1);
        gate.open();
        until(() -> runs.get() > 2);
        future.cancel(false);
    }

    // ---------------------------------------------------------------- ends

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_runThatThrows_isTheLast(ScheduledEntryPoint way) throws Exception {
        for (Throwable failure : List.of(new IllegalStateException("expected"), new AssertionError("expected"))) {
            runs.set(0);
            ScheduledFuture<?> future = start(way, () -> {
                if (runs.incrementAndGet() == 3) {
                    Tasks.throwingRunnable(failure).run();
                }
            });
            Caller<?> waiter = call(() -> future.get());

            assertFailed(future, failure);
            assertFailure(failure(waiter), failure);
            letPeriodsPass();
            assertThat(runs).hasValue(3);
            assertThat(future.cancel(true)).isFalse();
            assertFailed(future, failure);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_cancelledBeforeItsFirstRun_neverRuns(ScheduledEntryPoint way) throws Exception {
        List<Gate> places = occupy();
        ScheduledFuture<?> future = start(way, runs::incrementAndGet);

        assertThat(future.cancel(false)).isTrue();

        assertCancelled(future);
        open(places);
        letPeriodsPass();
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_cancelledBetweenRuns_neverRunsAgain(ScheduledEntryPoint way) throws Exception {
        ScheduledFuture<?> future = way.schedule(executor, runs::incrementAndGet, 0, 3_600_000);
        until(() -> runs.get() == 1);
        until(() -> future.getDelay(NANOSECONDS) > 0);

        assertThat(future.getDelay(NANOSECONDS)).isLessThanOrEqualTo(HOURS.toNanos(1));
        assertThat(future.cancel(true)).isTrue();

        assertCancelled(future);
        letPeriodsPass();
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_cancelledWhileItRuns_neverRunsAgain(ScheduledEntryPoint way) throws Exception {
        Gate calm = gate();
        Gate interrupted = gate();
        ScheduledFuture<?> first = start(way, () -> {
            runs.incrementAndGet();
            calm.run();
        });
        await(calm.entered());
        assertThat(first.cancel(false)).isTrue();
        assertCancelled(first);
        calm.open();
        ScheduledFuture<?> second = start(way, () -> {
            runs.incrementAndGet();
            interrupted.run();
        });
        await(interrupted.entered());
        assertThat(second.cancel(true)).isTrue();
        assertCancelled(second);

        await(interrupted.left());
        letPeriodsPass();
        assertThat(calm.wasInterrupted()).isFalse();
        assertThat(interrupted.wasInterrupted()).isTrue();
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_cancelledByItself_neverRunsAgain(ScheduledEntryPoint way) throws Exception {
        CompletableFuture<ScheduledFuture<?>> self = new CompletableFuture<>();
        ScheduledFuture<?> future = start(way, () -> {
            runs.incrementAndGet();
            self.join().cancel(false);
        });
        self.complete(future);

        until(future::isDone);
        assertCancelled(future);
        letPeriodsPass();
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_waitedFor_endsWithItsCancellation(ScheduledEntryPoint way) throws Exception {
        ScheduledFuture<?> future = start(way, runs::incrementAndGet);
        Caller<?> waiter = call(() -> future.get(60, SECONDS));
        untilWaiting(waiter);
        assertThatThrownBy(() -> future.get(2, MILLISECONDS)).isInstanceOf(TimeoutException.class);

        future.cancel(false);

        assertThat(failure(waiter)).isInstanceOf(CancellationException.class);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void periodic_eachRun_seesWhatTheOnesBeforeItWrote(ScheduledEntryPoint way) throws Exception {
        int[] plain = {0};
        CountDownLatch ran = new CountDownLatch(30);
        ScheduledFuture<?> future = way.schedule(
                executor,
                () -> {
                    plain[0]++;
                    if (ran.getCount() == 1) {
                        runs.set(plain[0]);
                    }
                    ran.countDown();
                },
                0,
                1);

        await(ran);
        future.cancel(false);
        assertThat(runs).hasValue(30);
    }
}
