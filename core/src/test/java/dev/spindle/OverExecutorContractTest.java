// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lanes on executors of users: which promises hold, and what happens if the executor refuses, nests or ends. */
@Timeout(120)
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway"}) // the tasks are counted
class OverExecutorContractTest {
    /** An executor, with its end. */
    record Kind(String name, Supplier<Executor> make) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Kind> kinds() {
        return List.of(
                new Kind("four threads", () -> Executors.newFixedThreadPool(4)),
                new Kind("one thread", Executors::newSingleThreadExecutor),
                new Kind("ForkJoinPool", () -> new ForkJoinPool(4)),
                new Kind("common pool", ForkJoinPool::commonPool),
                new Kind("a thread per task", () -> task -> new Thread(task).start()),
                new Kind("the caller", () -> Runnable::run),
                new Kind(
                        "the caller if full",
                        () -> new ThreadPoolExecutor(
                                2,
                                2,
                                0,
                                TimeUnit.SECONDS,
                                new ArrayBlockingQueue<>(2),
                                new ThreadPoolExecutor.CallerRunsPolicy())),
                new Kind("a spindle", Spindle::create),
                new Kind("a logical executor", () -> Spindle.create().executor("two", 2)),
                new Kind("virtual threads", TestSupport::virtualThreads));
    }

    private static void end(Executor executor) {
        if (executor instanceof ExecutorService service) {
            service.shutdown();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void k2_k3_tasksOfAKey_runOneAfterTheOther_inOrder(Kind kind) {
        Executor executor = kind.make.get();
        Keyed<Integer> keys = Keyed.over("keys", executor);
        List<List<Integer>> seen = new ArrayList<>();
        List<AtomicInteger> running = new ArrayList<>();
        List<CompletableFuture<?>> last = new ArrayList<>();
        for (int k = 0; k < 8; k++) {
            seen.add(new ArrayList<>()); // plain: K2
            running.add(new AtomicInteger());
        }
        AtomicInteger overlaps = new AtomicInteger();
        for (int i = 0; i < 8_000; i++) {
            int key = i % 8;
            int number = i / 8;
            last.add(keys.submit(key, () -> {
                overlaps.addAndGet(running.get(key).getAndIncrement());
                seen.get(key).add(number);
                running.get(key).decrementAndGet();
            }));
        }
        last.forEach(TestSupport::result);
        assertThat(overlaps).hasValue(0);
        assertThat(seen)
                .allMatch(of -> of.equals(IntStream.range(0, 1_000).boxed().toList()));
        end(executor);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindOfTask_runsInOrder(Kind kind) {
        Executor executor = kind.make.get();
        Strand strand = Strand.over("strand", executor);
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> asked = strand.submitAsync(() -> answer);
        strand.execute(() -> seen.add(1)); // behind the async task
        CompletableFuture<Boolean> stage = strand.submit(() -> 2).thenApplyAsync(seen::add);
        CompletableFuture<Boolean> old = strand.coalesce(() -> seen.add(-1));
        CompletableFuture<Boolean> latest = strand.coalesce(() -> seen.add(3));
        assertThat(seen).isEmpty();
        answer.complete("answer");
        assertThat(result(asked)).isEqualTo("answer");
        assertThat(result(old)).isFalse();
        assertThat(result(latest)).isTrue();
        assertThat(result(stage)).isTrue();
        assertThat(seen).containsExactlyInAnyOrder(1, 2, 3).startsWith(1);

        CompletableFuture<String> limited = strand.submitAsync(CompletableFuture::new, Duration.ofMillis(5));
        assertThat(limited).failsWithin(Duration.ofSeconds(20));
        assertThat(result(strand.schedule(() -> 4, 5, TimeUnit.MILLISECONDS))).isEqualTo(4);
        CountDownLatch periods = new CountDownLatch(3);
        java.util.concurrent.Future<?> periodic =
                strand.scheduleAtFixedRate(periods::countDown, 0, 1, TimeUnit.MILLISECONDS);
        await(periods);
        periodic.cancel(false);
        assertThatThrownBy(
                        () -> result(strand.submit(() -> strand.submit(() -> 1).join())))
                .hasCauseInstanceOf(IllegalStateException.class); // K6
        assertThatThrownBy(() -> result(strand.submit(() -> {
                    throw new IllegalArgumentException("expected");
                })))
                .hasRootCauseMessage("expected");
        strand.close();
        assertThat(strand.isTerminated()).isTrue();
        assertThatThrownBy(() -> strand.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        end(executor);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void k8_pause_holdsBackTasks(Kind kind) {
        Executor executor = kind.make.get();
        Lane lane = Keyed.<String>over("keys", executor).at("key");
        lane.pause();
        CompletableFuture<?> held = lane.submit(() -> {});
        assertThat(held).isNotDone();
        lane.resume();
        result(held);
        result(lane.quiesce());
        end(executor);
    }

    /** A strand is closed while tasks of it wait, one of them delayed. */
    @ParameterizedTest
    @MethodSource("kinds")
    void d1_close_runsWhatWasAccepted(Kind kind) {
        Executor executor = kind.make.get();
        Strand strand = Strand.over("strand", executor);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 1_000; i++) {
            strand.execute(ran::incrementAndGet);
        }
        strand.schedule(ran::incrementAndGet, 20, TimeUnit.MILLISECONDS);
        strand.close();
        assertThat(ran).hasValue(1_001);
        end(executor);
    }

    // ---------------------------------------------------------------- in the calling thread

    /** Each task submits to the next key, whose turn the executor runs at once: no recursion. */
    @Test
    void callerRuns_chainOfKeys_overflowsNoStack() {
        Keyed<Integer> keys = Keyed.over("keys", Runnable::run);
        int count = 100_000;
        AtomicInteger ran = new AtomicInteger();
        Runnable[] task = new Runnable[1];
        task[0] = () -> {
            int number = ran.incrementAndGet();
            if (number < count) {
                keys.execute(number, task[0]);
            }
        };
        keys.execute(0, task[0]);
        assertThat(ran).hasValue(count);
    }

    @Test
    void callerRuns_taskThatSubmitsToItsOwnKey_isNotNested() {
        Lane lane = Keyed.<String>over("keys", Runnable::run).at("key");
        List<Integer> seen = new ArrayList<>();
        lane.execute(() -> {
            lane.execute(() -> seen.add(2));
            seen.add(1);
        });
        assertThat(seen).containsExactly(1, 2);
    }

    /** The other lane's turn waits for the end of this one, unless this one waits for it. */
    @Test
    void callerRuns_taskThatWaitsForAnotherKey_getsItsResult() {
        Keyed<String> keys = Keyed.over("keys", Runnable::run);
        CompletableFuture<Integer> outer =
                keys.submit("a", () -> keys.submit("b", () -> 1).join() + 1);
        assertThat(result(outer)).isEqualTo(2);
        CompletableFuture<?> cycle = keys.submit(
                "a",
                () -> keys.submit("b", () -> keys.submit("a", () -> 1).join()).join());
        assertThatThrownBy(() -> result(cycle)).hasRootCauseInstanceOf(IllegalStateException.class);
    }

    // ---------------------------------------------------------------- an executor that refuses

    /** An executor that runs tasks when the test says so, and refuses on demand. */
    private static final class Manual implements Executor {
        private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
        private volatile boolean refusing;

        @Override
        public synchronized void execute(Runnable task) {
            if (refusing) {
                throw new RejectedExecutionException("full");
            }
            queue.add(task);
        }

        void runAll() {
            for (Runnable task = poll(); task != null; task = poll()) {
                task.run();
            }
        }

        private synchronized Runnable poll() {
            return queue.poll();
        }
    }

    @Test
    void f3_executorThatRefuses_refusesTheSubmit_andAcceptsAgainLater() {
        Manual executor = new Manual();
        Lane lane = Keyed.<String>over("keys", executor).at("key");
        AtomicInteger ran = new AtomicInteger();
        executor.refusing = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> lane.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
            assertThatThrownBy(() -> lane.submit(() -> 1)).isInstanceOf(RejectedExecutionException.class);
            assertThatThrownBy(() -> lane.coalesce(ran::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class);
        }
        executor.refusing = false;
        CompletableFuture<?> accepted = lane.submit(ran::incrementAndGet);
        executor.runAll();
        result(accepted);
        assertThat(ran).hasValue(1);
    }

    /** Tasks that wait behind an async task, whose lane the executor refuses when it goes on, end visibly. */
    @Test
    void f3_refusedWhenALaneGoesOn_endsItsFutures_andTellsOfItsTasks() {
        Manual executor = new Manual();
        Strand strand = Strand.over("strand", executor);
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> asked = strand.submitAsync(() -> answer);
        executor.runAll();
        AtomicBoolean ran = new AtomicBoolean();
        strand.execute(() -> ran.set(true));
        CompletableFuture<?> waiting = strand.submit(() -> {});
        CompletableFuture<?> stage = waiting.thenRunAsync(() -> {});
        executor.refusing = true;

        try (CollectedLog.Recording log = CollectedLog.record()) {
            answer.complete("answer");
            assertThat(result(asked)).isEqualTo("answer");
            assertThat(waiting).isCompletedExceptionally();
            assertThat(stage).failsWithin(Duration.ofSeconds(10));
            assertThat(log.lines()).isNotEmpty();
        }
        assertThat(ran).isFalse();
        executor.refusing = false;
        CompletableFuture<Integer> later = strand.submit(() -> 1);
        executor.runAll();
        assertThat(result(later)).isOne();
    }

    @Test
    void f3_delayedTaskThatIsRefusedWhenDue_fails() {
        Manual executor = new Manual();
        Strand strand = Strand.over("strand", executor);
        CompletableFuture<?> delayed = (CompletableFuture<?>) strand.schedule(() -> 1, 1, TimeUnit.MILLISECONDS);
        executor.refusing = true;
        assertThat(delayed).failsWithin(Duration.ofSeconds(20));
    }

    /** Three submitters against an executor with a queue of one: each task runs, or its submit or its future tells. */
    @Test
    void f3_saturatedExecutor_losesNothing() throws Exception {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
        Keyed<Integer> keys = Keyed.over("keys", executor);
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < 5_000; i++) {
                    try {
                        keys.submit(i % 4, ran::incrementAndGet)
                                .whenComplete((v, failure) -> ended.addAndGet(failure == null ? 0 : 1));
                    } catch (RejectedExecutionException e) {
                        refused.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        until(() -> ran.get() + refused.get() + ended.get() >= 15_000);
        // a submitter that is refused may find that another's refusal has ended its task: counted by its future, too
        assertThat(ran.get() + refused.get()).isLessThanOrEqualTo(15_000);
        executor.shutdown();
    }

    // ---------------------------------------------------------------- an executor that ends

    @Test
    void d1_executorThatIsShutDown_runsWhatItsThreadsHave_andRefusesSubmits() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(1);
        Strand strand = Strand.over("strand", executor);
        Gate gate = new Gate();
        strand.execute(gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        List<CompletableFuture<?>> queued = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) { // many quanta
            queued.add(strand.submit(ran::incrementAndGet));
        }
        executor.shutdown();
        assertThatThrownBy(() -> strand.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        gate.open();
        queued.forEach(TestSupport::result);
        assertThat(ran).hasValue(1_000);
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** A task that submits itself again does not keep the thread of an executor that was shut down. */
    @Test
    void d1_taskThatSubmitsItself_endsWithTheExecutor() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(1);
        Lane lane = Keyed.<String>over("keys", executor).at("key");
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch some = new CountDownLatch(100);
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        Runnable[] task = new Runnable[1];
        task[0] = () -> {
            ran.incrementAndGet();
            some.countDown();
            try {
                lane.execute(task[0]);
            } catch (RejectedExecutionException e) {
                refusal.complete(e);
            }
        };
        lane.execute(task[0]);
        await(some);
        executor.shutdown();
        assertThat(result(refusal)).isInstanceOf(RejectedExecutionException.class);
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** After a shutdownNow of the executor, its caller has the turns: run, they lose nothing; else close reports. */
    @Test
    void d2_executorThatWasHalted_closeReportsWhatIsLeft() {
        ExecutorService executor = Executors.newFixedThreadPool(1);
        Gate gate = new Gate();
        executor.execute(gate);
        gate.awaitEntered();
        Strand strand = Strand.over("strand", executor);
        Runnable task = () -> {};
        strand.execute(task);
        List<Runnable> turns = executor.shutdownNow();
        assertThat(turns).hasSize(1);
        assertThat(strand.close(Duration.ofMillis(10)).items()).containsExactly(task);
        turns.forEach(Runnable::run);
        until(strand::isTerminated);
    }

    @Test
    void executorThatThrowsAfterItRan_runsNoTurnTwice() {
        AtomicInteger ran = new AtomicInteger();
        Lane lane = Keyed.<String>over("keys", task -> {
                    task.run();
                    task.run();
                    throw new IllegalStateException("late");
                })
                .at("key");
        try (CollectedLog.Recording log = CollectedLog.record()) {
            lane.execute(ran::incrementAndGet);
            lane.execute(ran::incrementAndGet);
            assertThat(log.lines()).isNotEmpty();
        }
        assertThat(ran).hasValue(2);
    }

    /** A lane on a spindle: its wait is announced to the spindle, whose only thread is replaced. */
    @Test
    void t2_waitInALaneOnASpindle_isCompensated() {
        try (Spindle below = Spindles.options().coreThreads(1).maxThreads(2).build()) {
            Lane lane = Keyed.<String>over("keys", below).at("key");
            CompletableFuture<Integer> waiting = lane.submit(
                    () -> below.submit(() -> 1).thenApplyAsync(v -> v + 1).join());
            assertThat(result(waiting)).isEqualTo(2);
            until(() -> below.stats().blockedThreads() == 0);
        }
    }

    @Test
    void stats_countTheTasks() {
        Keyed<String> keys = Keyed.over("keys", Runnable::run);
        keys.at("key").pause();
        keys.execute("key", () -> {});
        assertThat(keys.stats().pending()).isOne();
        assertThat(keys.busiest(1)).hasSize(1);
        assertThatThrownBy(() -> Keyed.over(" ", Runnable::run)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Keyed.over("keys", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Strand.over("strand", null)).isInstanceOf(NullPointerException.class);
    }
}
