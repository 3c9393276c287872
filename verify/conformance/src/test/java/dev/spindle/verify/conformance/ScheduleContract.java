// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code schedule}: tasks that run once, not before their delay has passed. */
@SuppressWarnings("FutureReturnValueIgnored") // calls that must throw
abstract class ScheduleContract extends ServiceContract<ScheduledExecutorService> {
    static final List<Throwable> FAILURES = Tasks.failures();

    private final AtomicInteger runs = new AtomicInteger();
    private final Runnable task = runs::incrementAndGet;
    private final Callable<Integer> call = runs::incrementAndGet;

    ScheduleContract(Subject<? extends ScheduledExecutorService> subject) {
        super(subject);
    }

    // ---------------------------------------------------------------- arguments and results

    @Test
    void schedule_null_throwsNullPointerException() {
        assertThatThrownBy(() -> executor.schedule(Tasks.<Runnable>unsafeNull(), 1, HOURS))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.schedule(Tasks.<Callable<String>>unsafeNull(), 1, HOURS))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.schedule(task, 1, Tasks.unsafeNull()))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.schedule(call, 1, Tasks.unsafeNull()))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void schedule_callable_givesWhatItReturns() throws Exception {
        Callable<@Nullable Object> nothing = () -> null;

        assertThat(result(executor.schedule(() -> "result", 1, MILLISECONDS))).isEqualTo("result");
        assertThat(result(executor.schedule(nothing, 1, MILLISECONDS))).isNull();
    }

    @Test
    void schedule_runnable_givesNull() throws Exception {
        Future<?> future = executor.schedule(task, 1, MILLISECONDS);

        assertThat((Object) result(future)).isNull();
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("FAILURES")
    void schedule_taskThatThrows_isReportedByGetAndEndsNothingElse(Throwable failure) throws Exception {
        assertFailed(executor.schedule(Tasks.throwing(failure), 1, MILLISECONDS), failure);

        assertThat(result(executor.schedule(() -> "next", 1, MILLISECONDS))).isEqualTo("next");
    }

    @Test
    void schedule_plainWrites_areSeenByTheTaskAndItsAreSeenAfterGet() throws Exception {
        for (int i = 1; i <= 100; i++) {
            int[] box = {i};
            Future<Integer> seen = executor.schedule(
                    () -> {
                        int before = box[0];
                        box[0] = -before;
                        return before;
                    },
                    100,
                    MICROSECONDS);

            assertThat(result(seen)).isEqualTo(i);
            assertThat(box[0]).isEqualTo(-i);
        }
    }

    // ---------------------------------------------------------------- time

    @ParameterizedTest(name = "{0} ms")
    @ValueSource(longs = {1, 5, 200})
    void schedule_withDelay_runsNotBeforeItHasPassed(long delay) throws Exception {
        Callable<Long> now = System::nanoTime;
        long start = System.nanoTime();
        ScheduledFuture<Long> future = executor.schedule(now, delay, MILLISECONDS);

        assertThat(result(future) - start).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(delay));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void schedule_zeroOrNegativeDelay_runsAtOnce(long delay) throws Exception {
        for (TimeUnit unit : TimeUnit.values()) {
            ScheduledFuture<Integer> future = executor.schedule(call, delay, unit);

            assertThat(result(future)).isPositive();
            assertThat(future.getDelay(NANOSECONDS)).isNotPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void schedule_hugeDelay_doesNotOverflow(TimeUnit unit) throws Exception {
        ScheduledFuture<?> huge = executor.schedule(task, Long.MAX_VALUE, unit);
        ScheduledFuture<Integer> past = executor.schedule(call, Long.MIN_VALUE, unit);
        ScheduledFuture<?> hour = executor.schedule(task, 1, HOURS);
        ScheduledFuture<?> hugeToo = executor.schedule(call, Long.MAX_VALUE - 1, unit);

        assertThat(result(past)).isEqualTo(1);
        assertThat(result(executor.schedule(() -> "soon", 1, MILLISECONDS))).isEqualTo("soon");
        assertThat(huge.compareTo(past)).isPositive();
        assertThat(past.compareTo(huge)).isNegative();
        for (ScheduledFuture<?> far : List.of(huge, hugeToo)) {
            assertThat(far.isDone()).isFalse();
            assertThat(far.getDelay(DAYS)).isGreaterThan(100 * 365);
            assertThat(far.compareTo(hour)).isPositive();
            assertThat(hour.compareTo(far)).isNegative();
            assertThat(far.cancel(false)).isTrue();
        }
        assertThat(hour.isDone()).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void getDelay_untilItIsDue_isWhatIsLeft() throws Exception {
        List<Gate> places = occupy();
        ScheduledFuture<?> hour = executor.schedule(task, 1, HOURS);
        ScheduledFuture<?> soon = executor.schedule(task, 1, MILLISECONDS);

        long first = hour.getDelay(NANOSECONDS);
        assertThat(first).isLessThanOrEqualTo(HOURS.toNanos(1));
        assertThat(first).isGreaterThan(MINUTES.toNanos(55));
        assertThat(hour.getDelay(MINUTES)).isBetween(55L, 60L);
        assertThat(hour.getDelay(DAYS)).isZero();
        until(() -> hour.getDelay(NANOSECONDS) < first);
        until(() -> soon.getDelay(NANOSECONDS) < 0);
        assertThat(soon.isDone()).isFalse(); // due, but there is no place
        open(places);
        assertThat((Object) result(soon)).isNull();
        assertThat(soon.getDelay(NANOSECONDS)).isNegative();
    }

    @Test
    void compareTo_otherDueTimes_isTheirOrder() {
        List<ScheduledFuture<?>> inOrder = new ArrayList<>();
        for (int minutes : new int[] {10, 20, 30}) {
            inOrder.add(executor.schedule(task, minutes, MINUTES));
        }

        for (int i = 0; i < inOrder.size(); i++) {
            for (int j = 0; j < inOrder.size(); j++) {
                if (i != j) {
                    assertThat(Integer.signum(inOrder.get(i).compareTo(inOrder.get(j))))
                            .isEqualTo(Integer.compare(i, j));
                }
            }
        }
    }

    /** {@code Comparable}: the sign of {@code x.compareTo(y)} is the opposite of that of {@code y.compareTo(x)}. */
    @Test
    void compareTo_itselfAndEqualDueTimes_isAnOrder() {
        ScheduledFuture<?> one = executor.schedule(task, Long.MAX_VALUE, DAYS);
        Delayed same = one;
        ScheduledFuture<?> two = executor.schedule(task, Long.MAX_VALUE, DAYS);

        for (int i = 0; i < 100; i++) {
            assertThat(one.compareTo(same)).isZero();
            assertThat(Integer.signum(one.compareTo(two))).isEqualTo(-Integer.signum(two.compareTo(one)));
        }
    }

    @Test
    void schedule_manyTasks_eachRunsOnceAndNoneEarly() throws Exception {
        List<ScheduledFuture<Long>> futures = new ArrayList<>();
        List<Long> starts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            starts.add(System.nanoTime());
            futures.add(executor.schedule(
                    () -> {
                        runs.incrementAndGet();
                        return System.nanoTime();
                    },
                    i * 7919L % 20,
                    MILLISECONDS));
        }

        for (int i = 0; i < 300; i++) {
            long late = result(futures.get(i)) - starts.get(i);
            assertThat(late).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(i * 7919L % 20));
        }
        assertThat(runs).hasValue(300);
    }

    // ---------------------------------------------------------------- cancel

    @ParameterizedTest(name = "may interrupt: {0}")
    @ValueSource(booleans = {false, true})
    void cancel_beforeItIsDue_neverRuns(boolean mayInterrupt) throws Exception {
        ScheduledFuture<?> soon = executor.schedule(task, 20, MILLISECONDS);
        ScheduledFuture<?> far = executor.schedule(call, 1, DAYS);
        assertPending(far);
        Caller<?> waiter = call(() -> far.get(60, SECONDS));
        untilWaiting(waiter);

        boolean inTime = soon.cancel(mayInterrupt);
        assertThat(far.cancel(mayInterrupt)).isTrue();

        assertCancelled(far);
        assertThat(failure(waiter)).isInstanceOf(CancellationException.class);
        assertThat(result(executor.schedule(() -> "later", 30, MILLISECONDS))).isEqualTo("later");
        assertThat(runs).hasValue(inTime ? 0 : 1);
        assertThat(soon.isCancelled()).isEqualTo(inTime);
    }

    @Test
    void cancelTrue_whileItRuns_interruptsIt() throws Exception {
        Gate gate = gate();
        ScheduledFuture<?> future = executor.schedule(gate, 1, MILLISECONDS);
        await(gate.entered());

        assertThat(future.cancel(true)).isTrue();

        assertCancelled(future);
        await(gate.left());
        assertThat(gate.wasInterrupted()).isTrue();
    }

    @Test
    void cancel_afterItRan_changesNothing() throws Exception {
        ScheduledFuture<Integer> future = executor.schedule(call, 1, MILLISECONDS);
        assertThat(result(future)).isEqualTo(1);

        assertThat(future.cancel(true)).isFalse();

        assertThat(future.isCancelled()).isFalse();
        assertThat(result(future)).isEqualTo(1);
    }
}
