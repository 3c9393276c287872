// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * D1: a graceful shutdown of a strand or group waits for running tasks and accepts follow-up tasks within the quiet
 * time.
 */
@Timeout(120)
class GracefulShutdownTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration QUIET = Duration.ofMillis(20);

    private final Spindle single = Spindle.builder().core(1).max(1).build();
    private final AtomicInteger ran = new AtomicInteger();
    private final Gate gate = new Gate();

    /** The threads that a strand runs on. */
    enum On {
        OWN_THREAD,
        POOL_OF_ONE
    }

    @AfterEach
    void close() throws InterruptedException {
        gate.open();
        single.shutdownNow();
        assertThat(single.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private StrandGroup group(On on) {
        StrandBuilder builder = Strand.builder("graceful");
        return (on == On.OWN_THREAD ? builder : builder.on(single)).group(1);
    }

    /** Waits for several quiet times. */
    private static void pass(int quietTimes) {
        long end = System.nanoTime() + quietTimes * QUIET.toNanos();
        until(() -> System.nanoTime() - end > 0);
    }

    @ParameterizedTest
    @EnumSource
    void d1_taskThatRunsLonger_maySubmitWhatFollows(On on) {
        StrandGroup group = group(on);
        group.execute(0, gate);
        group.execute(0, () -> group.execute(0, () -> group.execute(0, ran::incrementAndGet)));
        gate.awaitEntered();
        Future<List<Runnable>> end = group.shutdownGracefully(QUIET, LONG);
        pass(4);
        assertThat(group.isShutdown()).isFalse();
        gate.open();
        assertThat(result(end)).isEmpty();
        assertThat(ran).hasValue(1);
        assertThat(group.isTerminated()).isTrue();
        assertThatThrownBy(() -> group.execute(0, () -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @ParameterizedTest
    @EnumSource
    void d1_openAsyncTurn_isWaitedForAndMayBeFollowed(On on) {
        Strand strand = group(on).at(0);
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> turn = strand.submitAsync(() -> stage);
        Future<?> follows = turn.thenAccept(value -> strand.execute(ran::incrementAndGet));
        Future<List<Runnable>> end = strand.shutdownGracefully(QUIET, LONG);
        pass(4);
        assertThat(strand.isShutdown()).isFalse();
        stage.complete("done");
        result(follows);
        assertThat(result(end)).isEmpty();
        assertThat(ran).hasValue(1);
    }

    /** Another thread submits the second task after the first has ended. The quiet time starts then. */
    @ParameterizedTest
    @EnumSource
    void d1_quietTime_beginsWhenTheLastTaskHasEnded(On on) {
        long quietMillis = 100;
        while (!takesWhatComesAfterTheEnd(group(on).at(0), quietMillis)) {
            quietMillis *= 2;
        }
    }

    /** Returns false if the machine was so slow that the quiet time may have passed. */
    private static boolean takesWhatComesAfterTheEnd(Strand strand, long quietMillis) {
        Gate task = new Gate();
        strand.execute(task);
        task.awaitEntered();
        Future<List<Runnable>> end = strand.shutdownGracefully(Duration.ofMillis(quietMillis), LONG);
        long begin = System.nanoTime();
        until(() -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(quietMillis * 3 / 2));
        long opened = System.nanoTime();
        task.open();
        until(() -> System.nanoTime() - opened > TimeUnit.MILLISECONDS.toNanos(quietMillis / 2));
        boolean accepted = true;
        try {
            strand.execute(() -> {});
        } catch (RejectedExecutionException e) {
            accepted = false;
            assertThat(System.nanoTime() - opened).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(quietMillis));
        }
        assertThat(result(end)).isEmpty();
        return accepted;
    }

    @ParameterizedTest
    @EnumSource
    void d1_periodicTaskThatHardlyRests_putsNothingOff(On on) {
        Strand strand = group(on).at(0);
        ScheduledFuture<?> periodic = strand.scheduleWithFixedDelay(
                () -> {
                    LockSupport.parkNanos(5_000_000);
                    ran.incrementAndGet();
                },
                0,
                1,
                TimeUnit.NANOSECONDS);
        until(() -> ran.get() > 1);
        assertThat(result(strand.shutdownGracefully(QUIET, LONG))).isEmpty();
        assertThat(periodic.isCancelled()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void d1_limitDuringAnOpenAsyncTurn_cancelsItAndHandsBackWhatWaits(On on) {
        Strand strand = group(on).at(0);
        CompletableFuture<String> stage = new CompletableFuture<>();
        Future<String> turn = strand.submitAsync(() -> stage);
        Runnable waits = () -> {};
        strand.execute(waits);
        Future<List<Runnable>> end = strand.shutdownGracefully(QUIET, Duration.ofMillis(50));
        assertThat(result(end)).containsExactly(waits);
        assertThat(turn.isCancelled()).isTrue();
        assertThat(stage).isCancelled();
    }

    @ParameterizedTest
    @EnumSource
    void d1_pausedStrandWithoutTasks_endsByTheQuietTime(On on) {
        Strand strand = group(on).at(0);
        strand.pause();
        assertThat(result(strand.shutdownGracefully(QUIET, LONG))).isEmpty();
    }

    /** A blocking callback must run neither during the end of the lane nor on its strand. */
    @Test
    void u1_callbackOfTheEnd_isNoPartOfTheStrand() {
        CompletableFuture<Boolean> current = new CompletableFuture<>();
        Strand strand = single.strand("s");
        strand.execute(gate);
        gate.awaitEntered();
        Future<?> told = strand.shutdownGracefully(Duration.ZERO, LONG)
                .thenRun(() ->
                        current.complete(strand.isCurrent() || single.stats().keys() > 0));
        gate.open();
        result(told);
        assertThat(result(current)).isFalse();
    }

    /** Dependents of the futures that the limit cancels must not stop the clock thread. */
    @Test
    void u1_callbackAtTheLimitThatBlocks_stopsNoTimer() {
        try (Spindle shared = Spindle.builder().core(3).build()) {
            Strand strand = shared.strand("s");
            strand.execute(gate);
            gate.awaitEntered();
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            CompletableFuture<?> waits = strand.submit(() -> {});
            Future<?> callback = waits.whenComplete((value, failure) -> {
                inside.countDown();
                await(release);
            });
            Future<List<Runnable>> end = strand.shutdownGracefully(QUIET, Duration.ofMillis(30));
            await(inside);
            for (int i = 0; i < 5; i++) {
                result(shared.schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
            }
            release.countDown();
            assertThat(result(end)).hasSize(1);
            assertThat(callback).isDone();
        }
    }

    @Test
    void d1_tenThousandStrandsAtOnce_endAndLeaveNoTimer() {
        List<Strand> strands = new ArrayList<>();
        List<Future<List<Runnable>>> ends = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            Strand strand = single.strand("s");
            strands.add(strand);
            strand.execute(() -> strand.execute(ran::incrementAndGet));
        }
        strands.forEach(strand -> ends.add(strand.shutdownGracefully(QUIET, LONG)));
        ends.forEach(end -> assertThat(result(end)).isEmpty());
        assertThat(ran).hasValue(10_000);
        until(() -> single.stats().keys() == 0);
        until(() -> single.kernel().timers().isEmpty());
    }

    @Test
    void s2_strandThatEndsBeforeOrMeanwhile_leavesNoTimerUntilTheLimit() {
        Strand ended = single.strand("ended");
        ended.shutdown();
        assertThat(result(ended.shutdownGracefully(QUIET, LONG))).isEmpty();
        until(() -> single.kernel().timers().isEmpty());
        for (int round = 0; round < 2_000; round++) {
            Strand strand = single.strand("s");
            CompletableFuture<?> other = CompletableFuture.runAsync(strand::shutdownNow);
            assertThat(result(strand.shutdownGracefully(Duration.ofNanos(1), LONG)))
                    .isEmpty();
            result(other);
        }
        until(() -> single.stats().keys() == 0); // so that no sweep is due
        until(() -> single.kernel().timers().isEmpty());
    }

    /** The spindle closes at a random moment of the graceful shutdown. Neither waits for the limit. */
    @Test
    void d1_spindleClosedMeanwhile_endsLongBeforeTheLimit() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            Spindle shared = Spindle.builder().core(1 + round % 3).build();
            Strand strand = shared.strand("s");
            strand.execute(() -> {});
            shared.execute(() -> {});
            Future<List<Runnable>> ended =
                    strand.shutdownGracefully(Duration.ofMillis(1 + round % 2), Duration.ofMinutes(2));
            if (round % 4 == 0) {
                LockSupport.parkNanos(round % 3_000_000); // so that some quiet times end at the shutdown
            }
            long begin = System.nanoTime();
            shared.close();
            assertThat(result(ended)).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        }
    }

    /** The JDK's shared thread for delays of futures would keep the class loader of its first user reachable. */
    @Test
    void u3_ownThread_usesNoSharedThreadOfTheJdk(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process process =
                ForkedJvm.of(Ending.class).redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .contains("ended")
                .doesNotContain("elay"); // part of the name of the JDK's delay thread in every release
    }

    /**
     * The program of the other JVM: two graceful shutdowns, one of which reaches its limit; then it prints the threads.
     */
    static final class Ending {
        private Ending() {}

        public static void main(String[] arguments) {
            Strand quiet = Strand.builder("quiet").build();
            quiet.execute(() -> {});
            result(quiet.shutdownGracefully(Duration.ofMillis(1), LONG));
            Strand stuck = Strand.builder("stuck").build();
            stuck.execute(() -> LockSupport.parkNanos(Long.MAX_VALUE));
            result(stuck.shutdownGracefully(Duration.ofMillis(1), Duration.ofMillis(10)));
            Thread.getAllStackTraces().keySet().forEach(thread -> System.out.println(thread.getName()));
            System.out.println("ended");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a3_onlyWorkerIsBlocked_limitActs(On on) {
        StrandGroup group = group(on);
        Executor blocked = on == On.OWN_THREAD ? group.at(0) : single;
        blocked.execute(gate);
        gate.awaitEntered();
        CompletableFuture<?> waits = group.at(0).submit(ran::incrementAndGet);
        Future<List<Runnable>> end = group.shutdownGracefully(QUIET, Duration.ofMillis(30));
        until(waits::isCancelled);
        assertThat(group.isShutdown()).isTrue();
        gate.open();
        assertThat(result(end)).hasSize(1);
        assertThat(ran).hasValue(0);
    }

    /** No task of the strand needs a worker. */
    @Test
    void a3_onlyWorkerIsBlockedAndTheStrandIsIdle_endIsToldAtTheLimit() {
        single.execute(gate);
        gate.awaitEntered();
        Future<List<Runnable>> end = single.strand("s").shutdownGracefully(QUIET, Duration.ofMillis(30));
        assertThat(result(end)).isEmpty();
        assertThat(single.stats().completed()).isZero();
        gate.open();
    }
}
