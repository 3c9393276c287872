// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** T5, A1 and A2: a task that has ended, normally, with a failure or between two runs, leaves no timer. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the remaining timers are checked
class LeftBehindContractTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @RegisterExtension
    final Spindles spindles = new Spindles();

    /** Returns a spindle that forgets keys at once, so that no timer of a sweep stays. */
    private Spindle spindle() {
        return spindles.of(spindles.builder().keyKeepAlive(Duration.ofMillis(1)));
    }

    /** A way in which an async task with a time limit ends before the limit. */
    @SuppressWarnings("ImmutableEnumChecker")
    enum End {
        STAGE(task -> task.stage.complete("done")),
        STAGE_FAILS(task -> task.stage.completeExceptionally(new IllegalStateException("on purpose"))),
        STAGE_CANCELLED(task -> task.stage.cancel(true)),
        FUTURE_CANCELLED(task -> task.future.cancel(true)),
        DEPENDENT_COMPLETES_ANOTHER(task -> {
            task.future.thenRun(() -> task.stage.complete("twice"));
            task.stage.complete("done");
        });

        private final Consumer<Open> way;

        End(Consumer<Open> way) {
            this.way = way;
        }
    }

    private record Open(CompletableFuture<String> stage, CompletableFuture<String> future) {}

    @ParameterizedTest
    @EnumSource
    void t5_asyncTaskThatEndsInTime_leavesNoTimer(End end) {
        Spindle spindle = spindle();
        for (Lane lane : List.of(spindle.keyed("tasks").at("key"), (Lane) spindle.strand("strand"))) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            CompletableFuture<String> future = lane.submitAsync(() -> stage, HOUR);
            until(() -> lane.activity().kind() == Activity.Kind.ASYNC);
            until(() -> !spindle.kernel().timers().isEmpty());
            end.way.accept(new Open(stage, future));
            until(future::isDone);
            assertThat(result(lane.submit(() -> "free"))).isEqualTo("free");
        }
        until(() -> spindle.kernel().timers().isEmpty()); // the limit would stay for an hour
    }

    @Test
    void t5_asyncTaskWhoseStageHasEnded_leavesNoTimer() {
        Spindle spindle = spindle();
        Lane lane = spindle.keyed("tasks").at("key");
        CompletableFuture<String> other = new CompletableFuture<>() {};
        other.complete("by a subclass");
        assertThat(result(lane.submitAsync(() -> CompletableFuture.completedFuture("at once"), HOUR)))
                .isEqualTo("at once");
        assertThat(result(lane.submitAsync(() -> other, HOUR))).isEqualTo("by a subclass");
        lane.submitAsync(
                () -> {
                    throw new IllegalStateException("on purpose");
                },
                HOUR);
        lane.<String>submitAsync(TestSupport::unsafeNull, HOUR);
        lane.submitAsync(() -> CompletableFuture.failedFuture(new IllegalStateException("on purpose")), HOUR);
        until(() -> spindle.kernel().timers().isEmpty());
    }

    @Test
    void t5_asyncTaskThatIsCancelledBeforeItBegins_leavesNoTimer() {
        Spindle spindle = spindle();
        Lane lane = spindle.keyed("tasks").at("key");
        lane.pause();
        CompletableFuture<String> future = lane.submitAsync(CompletableFuture::new, HOUR);
        future.cancel(false);
        lane.resume();
        result(lane.quiesce());
        until(() -> spindle.kernel().timers().isEmpty());
    }

    /** A target of a periodic task, and the executor that is shut down. */
    enum Periodic {
        PLAIN,
        KEY,
        STRAND,
        STRAND_ALONE,
        EXECUTOR,
        STRAND_OF_THE_SPINDLE,
        EXECUTOR_OF_THE_SPINDLE
    }

    @ParameterizedTest
    @EnumSource
    void a2_periodicTaskBetweenTwoRuns_endsWithTheShutdown(Periodic to) throws InterruptedException {
        for (boolean fixedRate : new boolean[] {true, false}) {
            Spindle spindle = spindle();
            AtomicInteger runs = new AtomicInteger();
            Strand strand =
                    to == Periodic.STRAND_ALONE ? Strand.builder("alone").build() : spindle.strand("strand");
            LogicalExecutor executor = spindle.executorBuilder("executor").build();
            TaskService service = switch (to) {
                case PLAIN, KEY -> spindle;
                case STRAND, STRAND_ALONE, STRAND_OF_THE_SPINDLE -> strand;
                case EXECUTOR, EXECUTOR_OF_THE_SPINDLE -> executor;
            };
            Runnable task = to == Periodic.KEY ? new Tagged(runs) : runs::incrementAndGet;
            ScheduledFuture<?> future = fixedRate
                    ? service.scheduleAtFixedRate(task, 0, 1, TimeUnit.HOURS)
                    : service.scheduleWithFixedDelay(task, 0, 1, TimeUnit.HOURS);
            until(() -> runs.get() == 1 && future.getDelay(TimeUnit.MINUTES) > 0); // it waits for the second run

            boolean ofTheSpindle = to == Periodic.STRAND_OF_THE_SPINDLE || to == Periodic.EXECUTOR_OF_THE_SPINDLE;
            TaskService ending = ofTheSpindle ? spindle : service;
            ending.shutdown();

            assertThat(ending.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(service.isTerminated()).isTrue();
            assertThat(future.isCancelled()).isTrue();
            assertThat(runs).hasValue(1);
            if (to != Periodic.STRAND_ALONE) {
                until(() -> spindle.kernel().timers().isEmpty());
            }
        }
    }

    /** The shutdown comes during the first run; no second run follows. */
    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "STRAND", "EXECUTOR"})
    void a2_periodicTaskThatRuns_endsAfterItsRun(Periodic to) throws InterruptedException {
        Spindle spindle = spindle();
        TaskService service = switch (to) {
            case STRAND -> spindle.strand("strand");
            case EXECUTOR -> spindle.executorBuilder("executor").build();
            default -> spindle;
        };
        TestSupport.Gate gate = new TestSupport.Gate();
        ScheduledFuture<?> future = service.scheduleWithFixedDelay(gate, 0, 1, TimeUnit.HOURS);
        gate.awaitEntered();
        service.shutdown();
        assertThat(service.isTerminated()).isFalse();
        gate.open();
        assertThat(service.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(future.isCancelled()).isTrue();
    }

    /** The lane of the task is created after the shutdown, and the next sweep is a day away. */
    @ParameterizedTest
    @EnumSource(names = {"KEY", "STRAND"})
    void d1_delayedTaskThatIsDueAfterTheShutdown_isTheLastThatIsWaitedFor(Periodic to) throws InterruptedException {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofDays(1)));
        AtomicInteger runs = new AtomicInteger();
        TaskService ending = to == Periodic.KEY ? spindle : spindle.strand("strand");
        for (int i = 1; i <= 2; i++) {
            ending.schedule(
                    to == Periodic.KEY ? new Tagged(runs) : runs::incrementAndGet, 100L * i, TimeUnit.MILLISECONDS);
        }
        ending.shutdown();
        assertThat(ending.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(2);
    }

    /** A rate counts from the due time of a run, a delay from the end of the previous run. */
    @Test
    void a2_delayAndRate_countFromTheirOwnStart() {
        AtomicLong ahead = new AtomicLong();
        Spindle spindle = spindles.of(spindles.builder().clock(() -> System.nanoTime() + ahead.get()));
        for (boolean fixedRate : new boolean[] {true, false}) {
            TestSupport.Gate gate = new TestSupport.Gate();
            ScheduledFuture<?> future = fixedRate
                    ? spindle.scheduleAtFixedRate(gate, 0, 60, TimeUnit.MINUTES)
                    : spindle.scheduleWithFixedDelay(gate, 0, 60, TimeUnit.MINUTES);
            gate.awaitEntered();
            ahead.addAndGet(TimeUnit.MINUTES.toNanos(30)); // the duration of the run
            gate.open();
            until(() -> future.getDelay(TimeUnit.MINUTES) > 0);
            assertThat(future.getDelay(TimeUnit.MINUTES)).isBetween(fixedRate ? 28L : 58L, fixedRate ? 30L : 60L);
            future.cancel(false);
        }
    }

    @Test
    void t5_timeLimitsThatHaveActedOrWereCancelled_leaveNoTimerAndLetTheSpindleEnd() throws InterruptedException {
        Spindle spindle = spindle();
        CompletableFuture<@Nullable Void> acted = new CompletableFuture<>();
        TimeLimit passed = TimeLimits.set(spindle, Duration.ofMillis(1), () -> acted.complete(null));
        TimeLimit cancelled = TimeLimits.set(spindle, HOUR, () -> acted.complete(null));
        result(acted);
        assertThat(passed.cancel()).isFalse();
        assertThat(cancelled.cancel()).isTrue();
        assertThat(cancelled.cancel()).isFalse();
        until(() -> spindle.kernel().timers().isEmpty());
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private record Tagged(AtomicInteger runs) implements SequentialTask {
        @Override
        public Object key() {
            return "key";
        }

        @Override
        public void run() {
            runs.incrementAndGet();
        }
    }
}
