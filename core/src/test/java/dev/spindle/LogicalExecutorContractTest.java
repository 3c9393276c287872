// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.unsafeNull;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import dev.spindle.internal.report.Figures;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The promises about plain tasks and fairness, for logical executors. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class LogicalExecutorContractTest {
    private static final int QUANTUM = 32;

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void open() {
        gates.forEach(Gate::open);
    }

    private Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    private Gate occupy(Executor executor) {
        Gate gate = gate();
        executor.execute(gate);
        return gate.awaitEntered();
    }

    /** Returns a spindle of one worker, so that the order of service is observable. */
    private Spindle one() {
        return spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
    }

    // ---------------------------------------------------------------- options

    @Test
    void options_thatMakeNoSense_areRefused() {
        Spindle spindle = spindles.spindle();
        assertThatThrownBy(() -> spindle.executorBuilder(unsafeNull())).isInstanceOf(NullPointerException.class);
        LogicalExecutorBuilder builder = spindle.executorBuilder("e");
        assertThatThrownBy(() -> builder.maxConcurrency(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThatThrownBy(() -> builder.capacity(-1, OnFull.reject()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> builder.capacity(1, unsafeNull())).isInstanceOf(NullPointerException.class);
        assertThat(builder.build().stats().maxConcurrency()).isEqualTo(8);
    }

    // ---------------------------------------------------------------- concurrency

    @Test
    void t1_maxConcurrency_isReachedAndNeverPassed() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(8).maxThreads(8));
        LogicalExecutor three = spindle.executor("three", 3);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch together = new CountDownLatch(3);
        CountDownLatch done = new CountDownLatch(5_000);
        for (int i = 0; i < 5_000; i++) {
            boolean first = i < 3;
            three.execute(() -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                if (first) {
                    together.countDown();
                    await(together);
                }
                running.decrementAndGet();
                done.countDown();
            });
        }
        await(done);
        assertThat(most).hasValue(3);
    }

    @Test
    void t2_blockedTasks_areReplacedUpToMaxConcurrency() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(6));
        LogicalExecutor four = spindle.executor("four", 4);
        CountDownLatch together = new CountDownLatch(4);
        List<CompletableFuture<?>> blocked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            blocked.add(four.submit(() -> Spindle.callBlocking(() -> {
                together.countDown();
                await(together);
                return true;
            })));
        }
        blocked.forEach(TestSupport::result);
        assertThat(spindle.stats().peakThreads()).isBetween(4, 6);
    }

    @Test
    void t3_tasksBehindABlockedOne_areTakenByOthersWithoutAHint() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(4));
        LogicalExecutor two = spindle.executor("two", 2);
        occupy(two);
        assertThat(result(two.submit(() -> "served"))).isEqualTo("served");
    }

    @Test
    void t5_tenThousandIdleExecutors_costNoThreadsAndNoWakeUps() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        List<LogicalExecutor> many = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            many.add(spindle.executor("idle " + i, 4));
        }
        assertThat(spindle.stats().threads()).isZero();
        for (int i = 0; i < 10_000; i += 100) {
            assertThat(result(many.get(i).submit(() -> "served"))).isEqualTo("served");
        }
        until(() -> spindle.stats().idleThreads() == spindle.stats().threads());
        assertThat(spindle.stats().threads()).isLessThanOrEqualTo(2);
        long wakeUps = spindle.stats().wakeUps();
        assertThat(result(many.get(1).submit(() -> "served"))).isEqualTo("served");
        assertThat(spindle.stats().wakeUps() - wakeUps).isLessThanOrEqualTo(2);
        spindle.shutdown();
        assertThat(many).allMatch(LogicalExecutor::isTerminated);
    }

    @Test
    void t6_submitsToAnExecutorThatIsReady_wakeNobody() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        LogicalExecutor executor = spindle.executor("e", 1);
        Gate gate = occupy(executor);
        long wakeUps = spindle.stats().wakeUps();
        CountDownLatch done = new CountDownLatch(1_000);
        for (int i = 0; i < 1_000; i++) {
            executor.execute(done::countDown);
        }
        assertThat(spindle.stats().ready()).isZero();
        gate.open();
        await(done);
        assertThat(spindle.stats().wakeUps() - wakeUps).isZero();
    }

    // ---------------------------------------------------------------- order and visibility

    @Test
    void k3_maxConcurrencyOne_runsInTheOrderOfSubmits() {
        LogicalExecutor single = spindles.spindle().executor("single", 1);
        List<Integer> order = new ArrayList<>(); // plain: one task at a time
        for (int i = 0; i < 5_000; i++) {
            int number = i;
            single.execute(() -> order.add(number));
        }
        result(single.submit(() -> {}));
        assertThat(order).hasSize(5_000).isSorted();
    }

    @Test
    void k4_maxConcurrencyOne_eachTaskSeesWhatTheOneBeforeWrote() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(4).maxThreads(4));
        LogicalExecutor single = spindle.executor("single", 1);
        int[] count = {0}; // plain
        List<Thread> submitters = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            Thread submitter = new Thread(() -> {
                for (int i = 0; i < 10_000; i++) {
                    single.execute(() -> count[0]++);
                }
            });
            submitters.add(submitter);
            submitter.start();
        }
        until(() -> submitters.stream().noneMatch(Thread::isAlive));
        assertThat(result(single.submit(() -> count[0]))).isEqualTo(30_000);
    }

    @Test
    void k2_taskWithAKey_isRefusedLoudly() {
        LogicalExecutor executor = spindles.spindle().executorBuilder("e").build();
        AtomicInteger ran = new AtomicInteger();
        EntryPoint.SequentialCall sequential = new EntryPoint.SequentialCall(() -> "key", ran::incrementAndGet);
        EntryPoint.Coalescing coalescing = new EntryPoint.Coalescing(() -> "key", ran::incrementAndGet);
        List<TestSupport.Checked> ways = List.of(
                () -> executor.execute(sequential),
                () -> executor.execute(coalescing),
                () -> executor.submit((Runnable) sequential),
                () -> executor.submit((Callable<String>) sequential),
                () -> executor.submit(coalescing, "result"),
                () -> executor.invokeAll(List.of(sequential)),
                () -> executor.invokeAny(List.of(sequential)),
                () -> executor.schedule(coalescing, 1, TimeUnit.MILLISECONDS));
        for (TestSupport.Checked way : ways) {
            assertThatThrownBy(way::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key");
        }
        assertThat(ran).hasValue(0);
    }

    // ---------------------------------------------------------------- fairness

    @Test
    void n1_floodedExecutor_yieldsAfterAQuantumOfTasks() {
        Spindle one = one();
        Gate gate = occupy(one);
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        LogicalExecutor flooded = one.executor("flooded", 8);
        LogicalExecutor other = one.executorBuilder("other").build();
        for (int i = 0; i < 10 * QUANTUM; i++) {
            flooded.execute(() -> log.add("flooded"));
        }
        one.execute(() -> log.add("plain"));
        one.keyed("tasks").execute("key", () -> log.add("lane"));
        other.execute(() -> log.add("other"));
        gate.open();
        until(() -> log.size() == 10 * QUANTUM + 3);
        assertThat(log.indexOf("plain")).isBetween(1, QUANTUM);
        assertThat(log.subList(log.indexOf("plain"), log.indexOf("plain") + 3))
                .containsExactly("plain", "lane", "other");
    }

    @Test
    void n1_longTasks_yieldAfterAQuantumOfTime() {
        Spindle one = one();
        Gate gate = occupy(one);
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        LogicalExecutor slow = one.executorBuilder("slow").build();
        for (int i = 0; i < 20; i++) {
            slow.execute(() -> {
                log.add("slow");
                long end = System.nanoTime() + 1_000_000;
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
            });
        }
        one.execute(() -> log.add("plain"));
        gate.open();
        until(() -> log.size() == 21);
        assertThat(log.indexOf("plain")).isBetween(1, 3);
    }

    @Test
    void n2_executorsOfAnyConcurrency_takeTurns() {
        Spindle one = one();
        Gate gate = occupy(one);
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        int[] last = {-1}; // plain: one worker
        List<LogicalExecutor> executors = new ArrayList<>();
        for (int e = 0; e < 5; e++) {
            executors.add(one.executor("e" + e, 1 + 10 * e));
        }
        for (int i = 0; i < 4 * QUANTUM; i++) {
            for (int e = 0; e < 5; e++) {
                int number = e;
                executors.get(e).execute(() -> {
                    if (last[0] != number) {
                        last[0] = number;
                        turns.add(number);
                    }
                });
            }
        }
        gate.open();
        executors.forEach(e -> result(e.submit(() -> {})));
        assertThat(turns).startsWith(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4);
    }

    @Test
    void n2_selfResubmittingExecutor_doesNotStarveTheRest() {
        Spindle one = one();
        LogicalExecutor self = one.executor("self", 4);
        LogicalExecutor other = one.executorBuilder("other").build();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger runs = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            self.execute(new Runnable() {
                @Override
                public void run() {
                    runs.incrementAndGet();
                    if (!stop.get()) {
                        self.execute(this);
                    }
                }
            });
        }
        for (int i = 0; i < 50; i++) {
            int[] seen = new int[2];
            result(self.submit(() -> {
                seen[0] = runs.get();
                other.execute(() -> seen[1] = runs.get());
            }));
            result(other.submit(() -> {}));
            // the current turn, and the one whose token was offered before
            assertThat(seen[1] - seen[0]).isLessThanOrEqualTo(2 * QUANTUM);
        }
        stop.set(true);
        result(one.submit(() -> {}));
        until(() -> self.stats().pending() == 0);
    }

    // ---------------------------------------------------------------- failure, interruption, acceptance

    @Test
    void f1_whateverATaskThrows_endsThatTaskAlone() {
        LogicalExecutor single = spindles.spindle().executor("single", 1);
        single.execute(() -> {
            throw new StackOverflowError("on purpose");
        });
        CompletableFuture<Object> failing = single.submit((Callable<Object>) () -> {
            throw new IOException("on purpose");
        });
        assertThat(result(single.submit(() -> "next"))).isEqualTo("next");
        assertThatThrownBy(failing::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(IOException.class);
        assertThat(spindles.takeFailures())
                .singleElement()
                .satisfies(f -> assertThat(f).isInstanceOf(StackOverflowError.class));
    }

    @Test
    void f2_interruptLeftByATask_doesNotReachTheNext() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        LogicalExecutor single = spindle.executor("single", 1);
        Gate gate = occupy(single);
        single.execute(() -> Thread.currentThread().interrupt());
        CompletableFuture<Boolean> next =
                single.submit(() -> Thread.currentThread().isInterrupted());
        gate.open();
        assertThat(result(next)).isFalse();
    }

    @Test
    void f2_cancelTrue_interruptsTheTaskItMeans() {
        LogicalExecutor executor = spindles.spindle().executorBuilder("e").build();
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<?> running = executor.submit(() -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        await(started);
        assertThat(running.cancel(true)).isTrue();
        await(interrupted);
    }

    @Test
    void f3_afterShutdown_rejectedWithNameAndState() {
        Spindle spindle = spindles.of(spindles.builder().name("payments"));
        LogicalExecutor reads = spindle.executorBuilder("reads").build();
        Gate gate = occupy(reads);
        reads.shutdown();
        List<Runnable> submits = List.of(
                () -> reads.execute(() -> {}),
                () -> reads.submit(() -> {}),
                () -> reads.submit(() -> {}, 1),
                () -> reads.submit(() -> 1),
                () -> reads.schedule(() -> {}, 1, TimeUnit.SECONDS),
                () -> reads.schedule(() -> 1, 1, TimeUnit.SECONDS),
                () -> reads.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS),
                () -> reads.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.SECONDS));
        for (String state : List.of("shut down", "terminated")) {
            for (Runnable submit : submits) {
                assertThatThrownBy(submit::run)
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("executor reads of spindle payments")
                        .hasMessageContaining(state);
            }
            gate.open();
            until(reads::isTerminated);
        }
        assertThat(reads.stats().rejected()).isEqualTo(2L * submits.size());
        assertThat(result(spindle.submit(() -> "open"))).isEqualTo("open");
    }

    @Test
    void f3_null_isRefused() {
        LogicalExecutor executor = spindles.spindle().executorBuilder("e").build();
        assertThatThrownBy(() -> executor.execute(unsafeNull())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.submit((Runnable) unsafeNull())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.schedule((Runnable) unsafeNull(), 1, TimeUnit.SECONDS))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void f5_noThreadAtAll_rejectedAndLaterSubmitsAreServed() {
        AtomicBoolean failing = new AtomicBoolean(true);
        ThreadFactory factory = worker -> {
            if (failing.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(worker);
        };
        try (CollectedLog.Recording log = CollectedLog.record()) {
            Spindle spindle =
                    spindles.of(spindles.builder().threadFactory(factory).capacity(3, OnFull.reject()));
            LogicalExecutor executor = spindle.executorBuilder("e")
                    .maxConcurrency(2)
                    .capacity(1, OnFull.reject())
                    .build();
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> executor.submit(() -> {}))
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("no worker thread");
                assertThatThrownBy(() -> executor.schedule(() -> {}, 1, TimeUnit.MILLISECONDS))
                        .isInstanceOf(RejectedExecutionException.class);
            }
            assertThat(executor.stats().pending()).isZero();
            assertThat(log.lines()).isNotEmpty();
            failing.set(false);
            until(() -> {
                try {
                    return result(executor.submit(() -> true));
                } catch (RejectedExecutionException e) {
                    return false; // it tries to start a thread again only after some time
                }
            });
        }
    }

    // ---------------------------------------------------------------- the other ways in

    @Test
    void invokeAllAndInvokeAny_giveWhatTheTasksGive() throws Exception {
        LogicalExecutor executor = spindles.spindle().executor("e", 2);
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3);
        assertThat(executor.invokeAll(tasks)).map(TestSupport::result).containsExactly(1, 2, 3);
        assertThat(executor.invokeAll(tasks, 20, TimeUnit.SECONDS))
                .map(TestSupport::result)
                .containsExactly(1, 2, 3);
        assertThat(executor.invokeAny(tasks)).isBetween(1, 3);
        assertThat(executor.invokeAny(tasks, 20, TimeUnit.SECONDS)).isBetween(1, 3);
    }

    @Test
    void a2_delayedAndPeriodicTasks_keepToTheLimit() {
        LogicalExecutor single = spindles.spindle().executor("single", 1);
        int[] plain = {0};
        CountDownLatch often = new CountDownLatch(5);
        ScheduledFuture<?> rate = single.scheduleAtFixedRate(
                () -> {
                    plain[0]++;
                    often.countDown();
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        ScheduledFuture<?> delay = single.scheduleWithFixedDelay(() -> plain[0]++, 0, 500, TimeUnit.MICROSECONDS);
        for (int i = 0; i < 1_000; i++) {
            single.execute(() -> plain[0]++);
        }
        await(often);
        assertThat(result(single.schedule(() -> "due", 1, TimeUnit.MILLISECONDS)))
                .isEqualTo("due");
        rate.cancel(false);
        delay.cancel(false);
        assertThat(result(single.submit(() -> plain[0]))).isGreaterThanOrEqualTo(1_005);
        until(() -> single.stats().completed() >= 1_006);
    }

    // ---------------------------------------------------------------- insight

    @Test
    void m1_stats_tellWhatHappened() {
        LogicalExecutor reads = spindles.spindle()
                .executorBuilder("reads")
                .maxConcurrency(2)
                .capacity(3, OnFull.reject())
                .build();
        assertThat(reads.stats()).isEqualTo(figures(0, 0, 0, 0, 0));
        Gate first = occupy(reads);
        Gate second = occupy(reads);
        for (int i = 0; i < 3; i++) {
            reads.execute(() -> {});
        }
        assertThatThrownBy(() -> reads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(reads.stats()).isEqualTo(figures(5, 0, 1, 3, 2));
        first.open();
        second.open();
        until(() -> reads.stats().equals(figures(5, 5, 1, 0, 0)));
    }

    private static Figures figures(long accepted, long completed, long rejected, long pending, int running) {
        return new Figures("reads", accepted, completed, 0, rejected, 0, 0, 0, pending, running, 3, 2);
    }

    @Test
    void m1_failed_countsTasksThatThrowToTheHandlerBeforeTheNextTaskOfTheTurnEnds() {
        LogicalExecutor one = spindles.spindle().executor("one", 1);
        Gate gate = new Gate();
        one.execute(() -> {
            throw new IllegalStateException("expected");
        });
        one.execute(gate);
        gate.awaitEntered();

        assertThat(one.stats().failed()).isEqualTo(1);
        assertThat(one.stats().completed()).isEqualTo(1);
        assertThat(one.stats().capacity()).isEqualTo(Integer.MAX_VALUE);
        gate.open();
        assertThat(spindles.takeFailures()).hasSize(1);
    }

    @Test
    void m2_contextOfTheSubmitter_isThereInTheTask() {
        ThreadLocal<@Nullable String> context = new ThreadLocal<>();
        Spindle spindle = spindles.of(spindles.builder().taskDecorator(new TestDecorator() {
            @Override
            public @Nullable Object capture() {
                return context.get();
            }

            @Override
            public Runnable restore(@Nullable Object captured) {
                String before = context.get();
                context.set((String) captured);
                return () -> context.set(before);
            }
        }));
        LogicalExecutor executor = spindle.executorBuilder("e").build();
        context.set("trace");
        CompletableFuture<@Nullable String> seen = executor.submit(context::get);
        ScheduledFuture<@Nullable String> due = executor.schedule(context::get, 1, TimeUnit.MILLISECONDS);
        context.remove();
        assertThat(result(seen)).isEqualTo("trace");
        assertThat(result(due)).isEqualTo("trace");
    }

    @Test
    void forgottenExecutor_isCollectedWithoutAShutdown() {
        Spindle spindle = spindles.spindle();
        List<WeakReference<LogicalExecutor>> forgotten = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            LogicalExecutor executor = spindle.executorBuilder("short-lived").build();
            result(executor.submit(() -> {}));
            forgotten.add(new WeakReference<>(executor));
        }
        until(() -> {
            System.gc();
            spindle.submit(() -> {}).join(); // the workers have finished their earlier tasks
            return forgotten.stream().filter(f -> f.get() == null).count() >= 8;
        });
    }

    @Test
    void delayedTask_keepsAForgottenExecutorServing() {
        Spindle spindle = spindles.spindle();
        CompletableFuture<String> done = new CompletableFuture<>();
        spindle.executorBuilder("short-lived").build().schedule(() -> done.complete("due"), 30, TimeUnit.MILLISECONDS);
        System.gc();
        assertThat(result(done)).isEqualTo("due");
    }
}
