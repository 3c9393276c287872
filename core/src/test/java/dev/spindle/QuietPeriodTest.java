// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

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
 * D1: a shutdown of a strand or group with a quiet period waits for running tasks and accepts follow-up tasks within
 * that time.
 */
@Timeout(120)
class QuietPeriodTest {
    private static final Duration QUIET = Duration.ofMillis(20);

    private final Spindle single =
            Spindle.builder().coreThreads(1).maxThreads(1).build();
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

    private StrandBuilder builder(On on) {
        return on == On.OWN_THREAD ? Strand.builder("quiet") : single.strandBuilder("quiet");
    }

    private static CompletableFuture<?> shutdown(Strand strand) {
        strand.shutdown();
        return strand.terminated();
    }

    private StrandGroup group(On on) {
        return builder(on).quietPeriod(QUIET).buildGroup(1);
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
        group.at(0).execute(gate);
        group.at(0).execute(() -> group.at(0).execute(() -> group.at(0).execute(ran::incrementAndGet)));
        gate.awaitEntered();
        Future<?> end = group.drain();
        pass(4);
        assertThat(group.at(0).isShutdown()).isFalse();
        gate.open();
        result(end);
        assertThat(ran).hasValue(1);
        assertThat(group.at(0).isTerminated()).isTrue();
        assertThatThrownBy(() -> group.at(0).execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @ParameterizedTest
    @EnumSource
    void d1_openAsyncTurn_isWaitedForAndMayBeFollowed(On on) {
        Strand strand = group(on).at(0);
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> turn = strand.submitAsync(() -> stage);
        Future<?> follows = turn.thenAccept(value -> strand.execute(ran::incrementAndGet));
        Future<?> end = shutdown(strand);
        pass(4);
        assertThat(strand.isShutdown()).isFalse();
        stage.complete("done");
        result(follows);
        result(end);
        assertThat(ran).hasValue(1);
    }

    /** Another thread submits the second task after the first has ended. The quiet time starts then. */
    @ParameterizedTest
    @EnumSource
    void d1_quietTime_beginsWhenTheLastTaskHasEnded(On on) {
        long quietMillis = 100;
        while (!takesWhatComesAfterTheEnd(
                builder(on).quietPeriod(Duration.ofMillis(quietMillis)).build(), quietMillis)) {
            quietMillis *= 2;
        }
    }

    /** Returns false if the machine was so slow that the quiet time may have passed. */
    private static boolean takesWhatComesAfterTheEnd(Strand strand, long quietMillis) {
        Gate task = new Gate();
        strand.execute(task);
        task.awaitEntered();
        Future<?> end = shutdown(strand);
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
        result(end);
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
        result(shutdown(strand));
        assertThat(periodic.isCancelled()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void d1_pausedStrandWithoutTasks_endsByTheQuietTime(On on) {
        Strand strand = group(on).at(0);
        strand.pause();
        result(shutdown(strand));
    }

    /** A blocking callback must run neither during the end of the lane nor on its strand. */
    @Test
    void u1_callbackOfTheEnd_isNoPartOfTheStrand() {
        CompletableFuture<Boolean> current = new CompletableFuture<>();
        Strand strand = single.strand("s");
        strand.execute(gate);
        gate.awaitEntered();
        strand.shutdown();
        Future<?> told = strand.terminated()
                .thenRun(() ->
                        current.complete(strand.isCurrent() || single.stats().keys() > 0));
        gate.open();
        result(told);
        assertThat(result(current)).isFalse();
    }

    @Test
    void d1_tenThousandStrandsAtOnce_endAndLeaveNoTimer() {
        List<Strand> strands = new ArrayList<>();
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            Strand strand = single.strandBuilder("s").quietPeriod(QUIET).build();
            strands.add(strand);
            strand.execute(() -> strand.execute(ran::incrementAndGet));
        }
        strands.forEach(strand -> ends.add(shutdown(strand)));
        ends.forEach(end -> result(end));
        assertThat(ran).hasValue(10_000);
        until(() -> single.stats().keys() == 0);
        until(() -> single.kernel().timers().isEmpty());
    }

    @Test
    void s2_strandThatEndsBeforeOrDuringTheQuietPeriod_leavesNoTimer() {
        StrandBuilder builder = single.strandBuilder("s").quietPeriod(Duration.ofHours(1));
        Strand ended = builder.build();
        assertThat(ended.shutdownNow()).isEmpty();
        result(shutdown(ended));
        until(() -> single.kernel().timers().isEmpty());
        for (int round = 0; round < 2_000; round++) {
            Strand strand = builder.build();
            CompletableFuture<?> other = CompletableFuture.runAsync(strand::shutdownNow);
            result(shutdown(strand));
            result(other);
        }
        until(() -> single.stats().keys() == 0); // so that no sweep is due
        until(() -> single.kernel().timers().isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void d1_shutdownTwice_isOneShutdown(On on) {
        Strand strand = group(on).at(0);
        strand.shutdown();
        result(shutdown(strand));
        assertThat(strand.isShutdown()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void d1_close_waitsForTheQuietPeriod(On on) {
        Strand strand = group(on).at(0);
        strand.execute(gate);
        strand.execute(() -> strand.execute(() -> strand.execute(ran::incrementAndGet)));
        gate.awaitEntered();
        CompletableFuture<?> closed = CompletableFuture.runAsync(strand::close);
        pass(4);
        assertThat(strand.isShutdown()).isFalse();
        gate.open();
        result(closed);
        assertThat(ran).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void d1_shutdownNowInTheQuietPeriod_endsItAtOnce(On on) {
        Strand strand = builder(on).quietPeriod(Duration.ofHours(1)).build();
        Runnable waits = () -> {};
        strand.execute(gate);
        gate.awaitEntered();
        strand.execute(waits);
        Future<?> end = shutdown(strand);
        assertThat(strand.shutdownNow()).containsExactly(waits);
        gate.open();
        result(end);
    }

    /** The spindle closes at a random moment of the quiet period, which ends with it. */
    @Test
    void d1_spindleClosedInTheQuietPeriod_endsIt() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            Spindle shared = Spindle.builder().coreThreads(1 + round % 3).build();
            Duration period = round % 3 == 0 ? Duration.ofMinutes(2) : Duration.ofMillis(1 + round % 2);
            Strand strand = shared.strandBuilder("s").quietPeriod(period).build();
            strand.execute(() -> {});
            shared.execute(() -> {});
            Future<?> ended = shutdown(strand);
            if (round % 4 == 0) {
                LockSupport.parkNanos(round % 3_000_000); // so that some quiet times end at the shutdown
            }
            long begin = System.nanoTime();
            shared.close();
            result(ended);
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
     * The program of the other JVM: a shutdown with a quiet period; then it prints the threads.
     */
    static final class Ending {
        private Ending() {}

        public static void main(String[] arguments) {
            Strand quiet =
                    Strand.builder("quiet").quietPeriod(Duration.ofMillis(1)).build();
            quiet.execute(() -> {});
            result(shutdown(quiet));
            Thread.getAllStackTraces().keySet().forEach(thread -> System.out.println(thread.getName()));
            System.out.println("ended");
        }
    }
}
