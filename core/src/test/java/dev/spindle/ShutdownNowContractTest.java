// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** D1: shutdownNow returns the tasks that have not started, and close waits. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class ShutdownNowContractTest {
    private record Numbered(String lane, int number, AtomicInteger ran) implements Runnable {
        @Override
        public void run() {
            ran.incrementAndGet();
        }
    }

    private final Gate gate = new Gate();
    private final AtomicInteger ran = new AtomicInteger();
    private final Spindle spindle =
            Spindles.options().coreThreads(1).maxThreads(1).build();
    private final Keyed<String> keys = spindle.keyed("keys");

    @AfterEach
    void close() throws InterruptedException {
        gate.open();
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private void occupy() {
        spindle.execute(gate);
        gate.awaitEntered();
    }

    private void assertTerminates() throws InterruptedException {
        gate.open();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void d1_shutdownNow_returnsTheUsersOwnObjectsInOrderPerLane() throws InterruptedException {
        occupy();
        Strand strand = spindle.strand("strand");
        List<Numbered> handedIn = new ArrayList<>();
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            for (String lane : List.of("plain", "a", "b", "strand")) {
                Numbered task = new Numbered(lane, i, ran);
                handedIn.add(task);
                boolean withFuture = i % 2 == 0;
                switch (lane) {
                    case "plain" -> {
                        if (withFuture) {
                            futures.add(spindle.submit(task));
                        } else {
                            spindle.execute(task);
                        }
                    }
                    case "strand" -> {
                        if (withFuture) {
                            futures.add(strand.submit(task));
                        } else {
                            strand.execute(task);
                        }
                    }
                    default -> {
                        if (withFuture) {
                            futures.add(keys.submit(lane, task));
                        } else {
                            keys.execute(lane, task);
                        }
                    }
                }
            }
        }
        List<Runnable> returned = spindle.shutdownNow();
        assertThat(returned).hasSize(1_200).hasSameElementsAs(handedIn);
        for (String lane : List.of("plain", "a", "b", "strand")) {
            assertThat(returned.stream()
                            .map(Numbered.class::cast)
                            .filter(t -> t.lane().equals(lane)))
                    .extracting(Numbered::number)
                    .isSorted()
                    .hasSize(300);
        }
        assertThat(futures).hasSize(600).allMatch(CompletableFuture::isCancelled);
        assertTerminates();
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_shutdownNow_callableAndAsyncAreRepresentedByTheirFutures() throws InterruptedException {
        occupy();
        Callable<Integer> callable = ran::incrementAndGet;
        CompletableFuture<Integer> plain = spindle.submit(callable);
        CompletableFuture<Integer> keyed = keys.submit("a", callable);
        CompletableFuture<Integer> async = keys.submitAsync("a", () -> CompletableFuture.completedFuture(1));
        List<Runnable> returned = spindle.shutdownNow();
        assertThat((List<?>) returned).hasSize(3).allMatch(r -> r == plain || r == keyed || r == async);
        assertThat((List<?>) returned).filteredOn(r -> r != plain).first().isSameAs(keyed);
        assertTerminates();
        returned.forEach(Runnable::run); // they are cancelled, so running them has no effect
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_shutdownNow_coalescingTaskIsReturnedOnceAndCancelled() throws InterruptedException {
        occupy();
        Runnable older = ran::incrementAndGet;
        Runnable newer = ran::incrementAndGet;
        CompletableFuture<Boolean> first = keys.coalesce("a", older);
        CompletableFuture<Boolean> second = keys.coalesce("a", newer);
        assertThat(spindle.shutdownNow()).containsExactly(newer);
        assertThat(first).isCompletedWithValue(false);
        assertThat(second).isCancelled();
        assertTerminates();
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_shutdownNow_returnsDelayedAndPeriodicTasksAndCancelsThem() throws InterruptedException {
        Runnable once = ran::incrementAndGet;
        Runnable again = ran::incrementAndGet;
        Runnable keyed = ran::incrementAndGet;
        List<ScheduledFuture<?>> futures = List.of(
                spindle.schedule(once, 1, TimeUnit.HOURS),
                spindle.scheduleAtFixedRate(again, 2, 1, TimeUnit.HOURS),
                keys.at("a").schedule(keyed, 3, TimeUnit.HOURS));
        assertThat(spindle.shutdownNow()).containsExactly(once, again, keyed);
        assertThat(futures).allMatch(ScheduledFuture::isCancelled);
        assertTerminates();
    }

    @Test
    void d1_shutdownNow_pausedLanesAreReturnedAndNeverRun() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            try (Spindle own = Spindles.options().coreThreads(2).build()) {
                result(own.submit(() -> {}));
                Keyed<Integer> lanes = own.keyed("keys");
                List<Runnable> tasks = new ArrayList<>();
                for (int key = 0; key < 20; key++) {
                    Runnable task = ran::incrementAndGet;
                    tasks.add(task);
                    lanes.at(key).pause();
                    lanes.execute(key, task);
                }
                assertThat(own.shutdownNow()).containsExactlyInAnyOrderElementsOf(tasks);
                assertThat(own.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            }
        }
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_shutdownNow_tasksBehindAnOpenAsyncTurnAreReturned() throws InterruptedException {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        CompletableFuture<Integer> future = keys.submitAsync("a", () -> stage);
        Runnable behind = ran::incrementAndGet;
        keys.execute("a", behind);
        TestSupport.until(() -> spindle.stats().completed() == 1);
        assertThat(spindle.shutdownNow()).containsExactly(behind);
        assertThat(future).isCancelled();
        assertThat(stage).isCancelled();
        assertTerminates();
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_millionPendingTasksAtShutdownNow_allReturnedInOrder() throws InterruptedException {
        occupy();
        int tasks = 1_000_000;
        int lanes = 1_000;
        for (int i = 0; i < tasks; i++) {
            keys.execute(i % 2 == 0 ? "big" : "small " + i % lanes, new Numbered("", i, ran));
        }
        List<Runnable> returned = spindle.shutdownNow();
        assertThat(returned.size()).isEqualTo(tasks);
        int[] last = new int[lanes + 1];
        for (Runnable task : returned) {
            int number = ((Numbered) task).number() + 1;
            int lane = (number - 1) % 2 == 0 ? lanes : (number - 1) % lanes;
            if (last[lane] >= number) {
                throw new AssertionError("task " + number + " comes after " + last[lane]);
            }
            last[lane] = number;
        }
        assertTerminates();
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_strandShutdownNow_returnsItsOwnInOrderAndNothingElse() throws InterruptedException {
        occupy();
        Strand strand = spindle.strand("s");
        Runnable first = ran::incrementAndGet;
        Runnable second = ran::incrementAndGet;
        Runnable delayed = ran::incrementAndGet;
        strand.schedule(delayed, 1, TimeUnit.HOURS);
        CompletableFuture<?> future = strand.submit(first);
        strand.execute(second);
        CompletableFuture<Integer> other = keys.submit("a", () -> 7);
        ScheduledFuture<?> otherDelayed = keys.at("a").schedule(() -> {}, 1, TimeUnit.MILLISECONDS);
        assertThat(strand.shutdownNow()).containsExactly(first, second, delayed);
        assertThat(future).isCancelled();
        gate.open();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(result(other)).isEqualTo(7);
        result(otherDelayed);
        assertThat(ran).hasValue(0);
    }

    // ---------------------------------------------------------------- close

    @Test
    void d1_close_waitsForEverythingAccepted() {
        keys.execute("a", () -> ran.addAndGet(1));
        keys.at("b").schedule(() -> ran.addAndGet(10), 30, TimeUnit.MILLISECONDS);
        spindle.close();
        assertThat(spindle.isTerminated()).isTrue();
        assertThat(ran).hasValue(11);
        spindle.close();
    }

    @Test
    void d1_closeInterrupted_becomesShutdownNowAndKeepsTheFlag() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        AtomicReference<Throwable> seen = new AtomicReference<>();
        spindle.execute(() -> {
            started.countDown();
            seen.set(catchThrowable(() -> new CountDownLatch(1).await(30, TimeUnit.SECONDS)));
        });
        await(started);
        CompletableFuture<?> waiting = keys.submit("a", ran::incrementAndGet);
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread closer = new Thread(() -> {
            spindle.close();
            flag.complete(Thread.currentThread().isInterrupted() && spindle.isTerminated());
        });
        closer.start();
        TestSupport.until(() -> closer.getState() == Thread.State.WAITING);
        closer.interrupt();
        assertThat(result(flag)).isTrue();
        assertThat(seen.get()).isInstanceOf(InterruptedException.class);
        assertThat(waiting).isCancelled();
        assertThat(ran).hasValue(0);
        closer.join();
    }

    @Test
    void d1_closeWithTheFlagSet_closesNow() {
        ScheduledFuture<?> far = spindle.schedule(() -> {}, 1, TimeUnit.HOURS);
        Thread.currentThread().interrupt();
        spindle.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(spindle.isTerminated()).isTrue();
        assertThat(far.isCancelled()).isTrue();
    }

    @Test
    void d1_closeFromAnOwnWorker_throwsAndLeavesTheExecutorOpen() {
        Throwable plain = result(spindle.submit(() -> catchThrowable(spindle::close)));
        Throwable keyed = result(keys.submit("a", () -> catchThrowable(spindle::close)));
        for (Throwable thrown : List.of(plain, keyed)) {
            assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("shutdown()");
        }
        assertThat(spindle.isShutdown()).isFalse();
    }

    @Test
    void d1_closeFromAWorkerOfAnotherExecutor_isFine() {
        try (Spindle other = Spindles.options().coreThreads(1).build()) {
            keys.execute("a", ran::incrementAndGet);
            result(other.submit(() -> spindle.close()));
            assertThat(spindle.isTerminated()).isTrue();
            assertThat(ran).hasValue(1);
        }
    }

    @Test
    void d1_strandClosedFromItsOwnTurn_throws() {
        Strand strand = spindle.strand("ledger");
        Throwable thrown = result(strand.submit(() -> catchThrowable(strand::close)));
        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("ledger");
        assertThat(strand.isShutdown()).isFalse();
    }

    @Test
    void d1_strandClosedFromAnotherTurn_waitsForIt() {
        try (Spindle two = Spindles.options().coreThreads(1).maxThreads(3).build()) {
            Strand strand = two.strand("s");
            strand.execute(ran::incrementAndGet);
            result(two.keyed("keys").submit("other", () -> strand.close()));
            assertThat(strand.isTerminated()).isTrue();
            assertThat(ran).hasValue(1);
            assertThat(two.isShutdown()).isFalse();
        }
    }

    @Test
    void d1_strandCloseInterrupted_becomesShutdownNowOfTheStrand() throws InterruptedException {
        occupy();
        Strand strand = spindle.strand("s");
        CompletableFuture<?> waiting = strand.submit(ran::incrementAndGet);
        CompletableFuture<Integer> other = keys.submit("a", () -> 7);
        Thread.currentThread().interrupt();
        CompletableFuture<Boolean> opened = new CompletableFuture<>();
        Thread opener = new Thread(() -> {
            TestSupport.until(waiting::isCancelled);
            opened.complete(true);
            gate.open();
        });
        opener.start();
        strand.close();
        assertThat(Thread.interrupted()).isTrue();
        opener.join();
        assertThat(opened).isCompletedWithValue(true);
        assertThat(result(other)).isEqualTo(7);
        assertThatThrownBy(waiting::join).isInstanceOf(CancellationException.class);
    }
}
