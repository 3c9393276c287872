// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A close with a time limit returns, whatever the tasks do, and reports what has not run and what still runs. */
@Timeout(60)
class BoundedCloseContractTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The maximum time after the limit that contract D2 allows, and a reserve for a busy machine. */
    private static final Duration RETURNS = Duration.ofSeconds(5);

    private final Spindle spindle =
            Spindle.builder().name("main").coreThreads(2).maxThreads(8).build();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch stuck = new CountDownLatch(1);

    /** A kind of executor. */
    enum Kind {
        SPINDLE,
        STRAND,
        LOGICAL;

        private ExecutorService make(Spindle spindle) {
            return switch (this) {
                case SPINDLE -> spindle;
                case STRAND -> spindle.strand("s");
                case LOGICAL -> spindle.executor("reads", 1);
            };
        }

        private Unfinished<Runnable> close(ExecutorService of, Duration timeout) {
            return switch (this) {
                case SPINDLE -> ((Spindle) of).close(timeout);
                case STRAND -> ((Strand) of).close(timeout);
                case LOGICAL -> ((LogicalExecutor) of).close(timeout);
            };
        }

        /** Returns the name in reports of the tasks of the first test. */
        private String owner() {
            return switch (this) {
                case SPINDLE -> "key orders/4711";
                case STRAND -> "strand s";
                case LOGICAL -> "executor reads";
            };
        }
    }

    @AfterEach
    void end() {
        release.countDown();
        spindle.shutdownNow();
        spindle.close();
    }

    /** Blocks, and does not react to an interrupt. */
    private void stick() {
        stuck.countDown();
        boolean over = false;
        while (!over) {
            try {
                over = release.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                over = false;
            }
        }
    }

    private static <T> T within(Duration limit, Callable<T> call) throws Exception {
        long begin = System.nanoTime();
        T result = call.call();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(limit);
        return result;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void d2_taskThatIgnoresItsInterrupt_closeReturnsAndReportsWhatRunsAndWhatWaits(Kind kind) throws Exception {
        ExecutorService executor = kind.make(spindle);
        Executor one = kind == Kind.SPINDLE ? spindle.keyed("orders").at(4711) : executor;
        String owner = kind.owner();
        one.execute(this::stick);
        stuck.await();
        Runnable second = () -> {};
        Runnable third = () -> {};
        one.execute(second);
        one.execute(third);

        Unfinished<Runnable> left = within(RETURNS, () -> kind.close(executor, SHORT));

        assertThat(left.isEmpty()).isFalse();
        assertThat(left.items()).containsExactly(second, third);
        assertThat(left.byOwner()).containsOnlyKeys(owner);
        assertThat(left.byOwner().get(owner)).containsExactly(second, third);
        assertThat(left.running()).singleElement().satisfies(running -> {
            assertThat(running.owner()).isEqualTo(owner);
            assertThat(running.stack()).anyMatch(frame -> frame.getMethodName().equals("stick"));
            assertThat(running.runningFor()).isGreaterThanOrEqualTo(SHORT);
        });
        assertThat(left)
                .hasToString("2 not run; 2 of " + owner + "; still running: "
                        + left.running().get(0));
        assertThat(executor.isTerminated()).isFalse();
        release.countDown();
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void d2_tasksThatEndInTime_allRunAndTheReportIsEmpty(Kind kind) {
        ExecutorService executor = kind.make(spindle);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            executor.execute(ran::incrementAndGet);
        }

        Unfinished<Runnable> left = kind.close(executor, LONG);

        assertThat(left.isEmpty()).isTrue();
        assertThat(left).hasToString("nothing unfinished");
        assertThat(ran).hasValue(100);
        assertThat(executor.isTerminated()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void d2_taskThatEndsAtItsInterrupt_isNotReportedAsRunning(Kind kind) throws Exception {
        ExecutorService executor = kind.make(spindle);
        Future<?> sleep = executor.submit(() -> {
            stuck.countDown();
            new CountDownLatch(1).await();
            return true;
        });
        stuck.await();

        Unfinished<Runnable> left = within(RETURNS, () -> kind.close(executor, SHORT));

        assertThat(left.isEmpty()).isTrue();
        assertThatThrownBy(sleep::get).hasCauseInstanceOf(InterruptedException.class);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void d2_callerIsInterrupted_haltsAtOnceAndKeepsTheInterrupt(Kind kind) throws Exception {
        ExecutorService executor = kind.make(spindle);
        executor.execute(this::stick);
        stuck.await();

        Thread.currentThread().interrupt();
        Unfinished<Runnable> left = within(RETURNS, () -> kind.close(executor, LONG));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(left.running()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void d2_ownTask_isRefused(Kind kind) throws Exception {
        ExecutorService executor = kind.make(spindle);

        Future<?> own = executor.submit(() -> kind.close(executor, SHORT));

        assertThatThrownBy(own::get).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(executor.isShutdown()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void d2_negativeTime_isRefusedWithItsValue(Kind kind) {
        ExecutorService executor = kind.make(spindle);

        assertThatThrownBy(() -> kind.close(executor, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout must not be negative, is PT-1S");
        assertThat(executor.isShutdown()).isFalse();
    }

    @Test
    void d2_everyKindOfWork_isReportedByItsOwner() throws Exception {
        Keyed<Integer> orders = spindle.keyed("orders");
        Strand strand = spindle.strand("journal");
        LogicalExecutor reads = spindle.executor("reads", 1);
        CountDownLatch all = new CountDownLatch(4);
        Runnable stuckTask = () -> {
            all.countDown();
            stick();
        };
        orders.execute(1, stuckTask);
        strand.execute(stuckTask);
        reads.execute(stuckTask);
        spindle.execute(stuckTask);
        all.await();
        reads.execute(() -> {});
        orders.execute(1, () -> {});
        CompletableFuture<?> future = orders.submit(1, () -> {});
        strand.execute(() -> {});
        Future<?> unused = orders.at(2).schedule(() -> {}, 1, TimeUnit.HOURS);
        unused = reads.schedule(() -> {}, 1, TimeUnit.HOURS);
        unused = strand.schedule(() -> {}, 1, TimeUnit.HOURS);
        unused = spindle.schedule(() -> {}, 1, TimeUnit.HOURS);

        Unfinished<Runnable> left = within(RETURNS, () -> spindle.close(Duration.ZERO));

        assertThat(left.byOwner())
                .containsKeys("key orders/1", "key orders/2", "strand journal", "executor reads", "spindle main");
        assertThat(left.byOwner().get("key orders/1")).hasSize(2);
        assertThat(left.byOwner().get("strand journal")).hasSize(2);
        assertThat(left.byOwner().get("key orders/2")).hasSize(1);
        assertThat(left.byOwner().get("spindle main")).hasSize(1);
        assertThat(left.items())
                .hasSize(left.byOwner().values().stream().mapToInt(List::size).sum());
        assertThat(future).isCancelled();
        assertThat(left.running())
                .extracting(Activity::owner)
                .containsExactlyInAnyOrder("key orders/1", "strand journal", "executor reads", "spindle main");
    }

    @Test
    void d2_openAsyncTask_isHaltedAndCancelled() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> open = spindle.keyed("orders").submitAsync(1, () -> never);

        Unfinished<Runnable> left = within(RETURNS, () -> spindle.close(SHORT));

        assertThat(left.isEmpty()).isTrue();
        assertThat(open).isCancelled();
    }

    @Test
    void d2_group_reportsByStrand() throws Exception {
        StrandGroup group = spindle.strandBuilder("raft").buildGroup(2);
        group.at(0).execute(this::stick);
        stuck.await();
        group.at(0).execute(() -> {});

        Unfinished<Runnable> left = within(RETURNS, () -> group.close(SHORT));

        assertThat(left.byOwner()).containsOnlyKeys(group.at(0).toString());
        assertThat(left.running())
                .extracting(Activity::owner)
                .containsExactly(group.at(0).toString());
    }

    @Test
    void d2_closeTimeout_boundsEveryCloseOnTheSpindle() throws Exception {
        Spindle limited = Spindle.builder().name("limited").closeTimeout(SHORT).build();
        Strand strand = limited.strand("s");
        LogicalExecutor reads = limited.executor("reads", 1);
        strand.execute(this::stick);
        reads.execute(this::stick);
        limited.execute(this::stick);
        stuck.await();

        try (CollectedLog.Recording log = CollectedLog.record()) {
            within(RETURNS, () -> closed(strand));
            within(RETURNS, () -> closed(reads));
            within(RETURNS, () -> closed(limited));

            assertThat(log.lines()).hasSize(3);
            assertThat(log.lines().get(0))
                    .startsWith(
                            "strand s was closed at its time limit: 0 not run; still running: strand s, running for");
            assertThat(log.lines().get(1)).startsWith("executor reads was closed at its time limit");
            assertThat(log.lines().get(2)).startsWith("spindle limited was closed at its time limit");
        }
        assertThat(limited.isTerminated()).isFalse();
        release.countDown();
        assertThat(limited.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean closed(AutoCloseable of) throws Exception {
        of.close();
        return true;
    }

    @Test
    @Tag("stress")
    void d2_closeThatHasWaitedForTenSeconds_logsOnceWhatRuns() throws Exception {
        spindle.keyed("orders").execute(4711, this::stick);
        stuck.await();
        try (CollectedLog.Recording log = CollectedLog.record()) {
            Unfinished<Runnable> left = spindle.close(Duration.ofSeconds(12));

            assertThat(left.running()).hasSize(1);
            assertThat(log.lines())
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .startsWith("close of spindle main has waited for 10 s; what runs: 1")
                            .contains(
                                    "key orders/4711, running for PT1",
                                    "on thread main-",
                                    "BoundedCloseContractTest.stick"));
        }
    }

    @Test
    void d2_closeTimeoutThatIsNotPositive_isRefused() {
        assertThatThrownBy(() -> Spindle.builder().closeTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("closeTimeout must be positive, is PT0S");
    }

    @Test
    void running_eachKind_tellsOwnerThreadAndTime() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        Runnable task = () -> {
            all.countDown();
            stick();
        };
        spindle.keyed("orders").execute(1, task);
        spindle.executor("reads", 1).execute(task);
        spindle.execute(task);
        CompletableFuture<?> unused = spindle.keyed("orders").submitAsync(2, CompletableFuture::new);
        all.await();

        List<Activity> running = spindle.running();

        assertThat(running).extracting(Activity::owner).contains("key orders/1", "executor reads", "spindle main");
        assertThat(running)
                .filteredOn(activity -> activity.kind() != Activity.Kind.ASYNC)
                .allSatisfy(activity -> {
                    assertThat(activity.thread()).isNotNull();
                    assertThat(activity.stack()).isNotEmpty();
                });
        release.countDown();
    }
}
