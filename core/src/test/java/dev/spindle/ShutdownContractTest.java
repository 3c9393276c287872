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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** D1: shutdown runs all accepted tasks, and termination comes last. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class ShutdownContractTest {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Gate gate = new Gate();
    private final AtomicInteger ran = new AtomicInteger();
    private final Spindle spindle = Spindles.options()
            .coreThreads(2)
            .threadFactory(r -> {
                Thread thread = new Thread(r);
                threads.add(thread);
                return thread;
            })
            .build();
    private final Keyed<String> keys = spindle.keyed("tasks");

    @AfterEach
    void close() throws InterruptedException {
        gate.open();
        spindle.shutdownNow();
        assertTerminates();
        until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    private void assertTerminates() throws InterruptedException {
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(spindle.isTerminated()).isTrue();
        assertThat(spindle.isShutdown()).isTrue();
    }

    @Test
    void d1_shutdown_acceptsNothingAndRunsAllAccepted() throws InterruptedException {
        spindle.execute(gate);
        gate.awaitEntered();
        List<CompletableFuture<?>> futures = new ArrayList<>();
        Strand strand = spindle.strand("s");
        for (int i = 0; i < 1_000; i++) {
            futures.add(spindle.submit(ran::incrementAndGet));
            futures.add(keys.submit("key " + i % 10, ran::incrementAndGet));
            futures.add(strand.submit(ran::incrementAndGet));
        }
        CompletableFuture<Boolean> last = keys.coalesce("c", ran::incrementAndGet);
        spindle.shutdown();
        assertThat(spindle.isShutdown()).isTrue();
        assertThat(spindle.isTerminated()).isFalse();
        assertThatThrownBy(() -> spindle.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        gate.open();
        assertTerminates();
        assertThat(ran).hasValue(3_001);
        assertThat(futures).allMatch(f -> f.isDone() && !f.isCompletedExceptionally());
        assertThat(last).isCompletedWithValue(true);
        assertThat(strand.isTerminated()).isTrue();
    }

    @Test
    void d1_shutdown_returnsAtOnceThoughATaskRuns() {
        spindle.execute(gate);
        gate.awaitEntered();
        spindle.shutdown();
        assertThat(spindle.isTerminated()).isFalse();
    }

    @Test
    void d1_neverUsed_shutdownTerminatesWithoutThreads() throws InterruptedException {
        spindle.shutdown();
        assertThat(spindle.isTerminated()).isTrue();
        assertTerminates();
        assertThat(threads).isEmpty();
    }

    @Test
    void d1_neverUsed_shutdownNowTerminates() {
        assertThat(spindle.shutdownNow()).isEmpty();
        assertThat(spindle.isTerminated()).isTrue();
    }

    @Test
    void d1_shutdownTwiceAndShutdownNowAfter_terminates() throws InterruptedException {
        keys.execute("a", gate);
        gate.awaitEntered();
        Runnable waiting = ran::incrementAndGet;
        keys.execute("a", waiting);
        spindle.shutdown();
        spindle.shutdown();
        assertThat(spindle.shutdownNow()).containsExactly(waiting);
        assertThat(spindle.shutdownNow()).isEmpty();
        spindle.shutdown();
        gate.open();
        assertTerminates();
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_shutdownFromATask_terminates() throws InterruptedException {
        keys.execute("a", () -> {
            keys.execute("a", ran::incrementAndGet);
            spindle.execute(ran::incrementAndGet);
            spindle.shutdown();
            assertThatThrownBy(() -> keys.execute("a", ran::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class);
        });
        until(spindle::isShutdown);
        assertTerminates();
        assertThat(ran).hasValue(2);
    }

    @Test
    void d1_shutdownNowFromATask_returnsTheRestAndTerminates() throws InterruptedException {
        CompletableFuture<List<Runnable>> returned = new CompletableFuture<>();
        keys.execute("a", () -> {
            keys.execute("a", ran::incrementAndGet);
            returned.complete(spindle.shutdownNow());
        });
        assertThat(result(returned)).hasSize(1);
        assertTerminates();
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_delayedOneShots_runAfterShutdown() throws InterruptedException {
        long begin = System.nanoTime();
        ScheduledFuture<?> plain = spindle.schedule(ran::incrementAndGet, 60, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> keyed = keys.at("a").schedule(ran::incrementAndGet, 80, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> strand = spindle.strand("s").schedule(ran::incrementAndGet, 70, TimeUnit.MILLISECONDS);
        spindle.shutdown();
        if (spindle.awaitTermination(1, TimeUnit.MILLISECONDS)) { // if the machine paused
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(80));
        }
        assertTerminates();
        assertThat(ran).hasValue(3);
        assertThat(List.of(plain, keyed, strand)).allMatch(f -> f.isDone() && !f.isCancelled());
    }

    @Test
    void d1_cancelledDelayedTask_doesNotHoldTermination() throws InterruptedException {
        ScheduledFuture<?> far = keys.at("a").schedule(ran::incrementAndGet, 1, TimeUnit.HOURS);
        spindle.shutdown();
        assertThat(spindle.isTerminated()).isFalse();
        assertThat(far.cancel(false)).isTrue();
        assertTerminates();
    }

    @Test
    void d1_periodicTasks_areCancelledByShutdown() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(2);
        ScheduledFuture<?> rate = spindle.scheduleAtFixedRate(started::countDown, 0, 1, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> delay = keys.at("a").scheduleWithFixedDelay(started::countDown, 0, 1, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> far = spindle.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        ScheduledFuture<?> running = spindle.strand("s").scheduleWithFixedDelay(gate, 0, 1, TimeUnit.MILLISECONDS);
        await(started);
        gate.awaitEntered();
        spindle.shutdown();
        assertThat(far.isCancelled()).isTrue();
        assertThat(spindle.isTerminated()).isFalse(); // one of them runs
        gate.open();
        assertTerminates();
        assertThat(List.of(rate, delay, running)).allMatch(ScheduledFuture::isCancelled);
        assertThatThrownBy(running::get).isInstanceOf(CancellationException.class);
    }

    @Test
    void d1_pausedLanes_areRunByShutdown() throws InterruptedException {
        for (int key = 0; key < 100; key++) {
            keys.at("key " + key).pause();
            keys.at("key " + key).pause();
            keys.execute("key " + key, ran::incrementAndGet);
        }
        spindle.shutdown();
        assertTerminates();
        assertThat(ran).hasValue(100);
        keys.at("key 1").resume(); // the shutdown has ended its pause
    }

    @Test
    void d1_pauseAfterShutdown_throwsAndDoesNotHoldTermination() throws InterruptedException {
        keys.execute("used", gate);
        gate.awaitEntered();
        spindle.shutdown();
        assertThatThrownBy(() -> keys.at("used").pause()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> keys.at("new").pause()).isInstanceOf(IllegalStateException.class);
        gate.open();
        assertTerminates();
    }

    /** A strand that was shut down may have no lane. A pause must not create one that would never end. */
    @Test
    void d1_pauseOfAStrandThatWasShutDown_throwsAndHoldsNothing() throws InterruptedException {
        try (Spindle own = Spindles.options()
                .coreThreads(1)
                .keyKeepAlive(Duration.ofHours(1))
                .build()) {
            Strand waits = own.strand("waits");
            ScheduledFuture<?> delayed = waits.schedule(() -> {}, 1, TimeUnit.HOURS);
            waits.shutdown();
            assertThatThrownBy(waits::pause)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("waits is shut down");
            delayed.cancel(false);
            assertThat(waits.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 100; i++) {
                Strand ended = own.strand("ended");
                ended.shutdown();
                assertThat(ended.isTerminated()).isTrue();
                assertThatThrownBy(ended::pause).isInstanceOf(IllegalStateException.class);
                assertThat(ended.isTerminated()).isTrue();
            }
            assertThat(own.stats().keys()).isZero();
        }
    }

    /** Each pause either precedes the shutdown, which ends it, or is refused. */
    @Test
    void d1_pauseRacingWithTheShutdownOfItsStrand_neverHoldsTermination() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (System.nanoTime() - end < 0) {
            Strand strand = spindle.strand("s");
            CompletableFuture<?> paused = CompletableFuture.runAsync(() -> {
                try {
                    strand.pause();
                } catch (IllegalStateException e) {
                    // the shutdown came first
                }
            });
            strand.shutdown();
            result(paused);
            assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(spindle.stats().keys()).isZero();
    }

    @Test
    void d1_openAsyncTurn_holdsTermination() throws InterruptedException {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> future = keys.submitAsync("a", () -> stage);
        keys.execute("a", ran::incrementAndGet);
        until(() -> spindle.stats().completed() == 1);
        spindle.shutdown();
        assertThat(spindle.awaitTermination(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(ran).hasValue(0);
        stage.complete("done");
        assertTerminates();
        assertThat(result(future)).isEqualTo("done");
        assertThat(ran).hasValue(1);
    }

    @Test
    void d1_asyncTurnWithALimit_endsByItAfterShutdown() throws InterruptedException {
        CompletableFuture<String> future =
                keys.at("a").submitAsync(() -> new CompletableFuture<>(), Duration.ofMillis(50));
        keys.execute("a", ran::incrementAndGet);
        spindle.shutdown();
        assertTerminates();
        assertThat(future).isCompletedExceptionally();
        assertThat(ran).hasValue(1);
    }

    @Test
    void d1_isTerminated_onlyWhenNothingRuns() throws InterruptedException {
        AtomicInteger early = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            keys.execute("key " + i % 5, () -> {
                ran.incrementAndGet();
                if (spindle.isTerminated()) {
                    early.incrementAndGet();
                }
            });
        }
        spindle.shutdown();
        assertTerminates();
        assertThat(ran).hasValue(200);
        assertThat(early).hasValue(0);
    }

    @Test
    void d1_awaitTermination_honoursTimeout() throws InterruptedException {
        spindle.execute(gate);
        gate.awaitEntered();
        assertThat(spindle.awaitTermination(0, TimeUnit.SECONDS)).isFalse();
        assertThat(spindle.awaitTermination(-1, TimeUnit.SECONDS)).isFalse();
        spindle.shutdown();
        long start = System.nanoTime();
        assertThat(spindle.awaitTermination(30, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000);
    }

    @Test
    void d1_awaitTermination_honoursInterrupts() {
        spindle.execute(gate);
        spindle.shutdown();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> spindle.awaitTermination(20, TimeUnit.SECONDS))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void d1_awaitTermination_wakesAllWaiters() {
        spindle.execute(gate);
        gate.awaitEntered();
        Strand strand = spindle.strand("s");
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        try (Spindle other = Spindles.options().coreThreads(4).build()) {
            for (int i = 0; i < 4; i++) {
                boolean ofStrand = i % 2 == 0;
                waiters.add(other.submit(() -> ofStrand
                        ? strand.awaitTermination(20, TimeUnit.SECONDS)
                        : spindle.awaitTermination(20, TimeUnit.SECONDS)));
            }
            spindle.shutdown();
            gate.open();
            waiters.forEach(w -> assertThat(result(w)).isTrue());
        }
    }

    @Test
    void d1_afterTermination_nothingRunsAndViewsAnswer() throws InterruptedException {
        keys.execute("a", ran::incrementAndGet);
        spindle.shutdown();
        assertTerminates();
        assertThat(keys.at("a").cancelPending()).isEmpty();
        assertThat(keys.at("a").activity().pending()).isZero();
        result(keys.at("a").quiesce());
        assertThat(spindle.stats().threads()).isZero();
        assertThat(spindle.stats().completed()).isEqualTo(1);
        assertThat(spindle.toString()).contains("terminated");
        assertThat(ran).hasValue(1);
    }

    @Test
    void d1_strandWithDelayedCoalescingTask_terminatesAfterItsShutdown() throws InterruptedException {
        try (Spindle own = Spindles.options()
                .coreThreads(1)
                .keyKeepAlive(Duration.ofHours(1))
                .build()) {
            Strand strand = own.strand("s");
            strand.schedule(
                    new CoalescingTask() {
                        @Override
                        public Object key() {
                            return "unused";
                        }

                        @Override
                        public void run() {
                            ran.incrementAndGet();
                        }
                    },
                    20,
                    TimeUnit.MILLISECONDS);
            strand.shutdown();
            assertThat(strand.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
            assertThat(ran).hasValue(1);
        }
    }

    @Test
    void d1_resumeAfterTheShutdownThatEndedThePause_doesNothing() throws InterruptedException {
        Strand strand = spindle.strand("s");
        strand.pause();
        strand.shutdown();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        strand.resume();
        keys.at("a").pause();
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        keys.at("a").resume();
    }

    @Test
    void d1_strandShutdown_runsItsOwnAndLeavesOthersAlone() throws InterruptedException {
        Strand strand = spindle.strand("s");
        strand.pause();
        for (int i = 0; i < 10; i++) {
            strand.execute(ran::incrementAndGet);
        }
        ScheduledFuture<?> periodic = strand.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        AtomicInteger others = new AtomicInteger();
        ScheduledFuture<?> other = keys.at("a").schedule(others::incrementAndGet, 50, TimeUnit.MILLISECONDS);
        strand.shutdown();
        assertThat(periodic.isCancelled()).isTrue();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(10);
        assertThat(spindle.isShutdown()).isFalse();
        result(other);
        assertThat(others).hasValue(1);
    }

    @Test
    void d1_strandIsTerminated_onlyWhenItsLastTaskHasEnded() throws InterruptedException {
        Strand strand = spindle.strand("s");
        Gate gate = new Gate();
        strand.execute(gate);
        gate.awaitEntered();
        strand.shutdown();
        assertThat(strand.isTerminated()).isFalse();
        gate.open();
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

        Strand delayed = spindle.strand("delayed");
        delayed.schedule(ran::incrementAndGet, 1, TimeUnit.HOURS);
        delayed.shutdown();
        assertThat(delayed.isTerminated()).isFalse();
        assertThat(delayed.shutdownNow()).hasSize(1);
        assertThat(delayed.isTerminated()).isTrue();
    }

    /** The shutdown comes between a submit's check of the strand and its push into the lane, which is dead by then. */
    @Test
    void f3_strandShutDownWhileItsSubmitStartsAThread_refusesTheTask() {
        AtomicReference<Strand> submitted = new AtomicReference<>();
        Spindle slow = Spindles.options()
                .coreThreads(1)
                .maxThreads(1)
                .threadFactory(r -> {
                    Strand own = submitted.get();
                    if (own == null) {
                        return null;
                    }
                    own.shutdown();
                    return new Thread(r);
                })
                .build();
        Strand strand = slow.strand("s");
        assertThatThrownBy(() -> strand.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        submitted.set(strand); // its lane exists, but no thread yet
        assertThatThrownBy(() -> strand.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        assertThat(strand.isTerminated()).isTrue();
        slow.close();
        assertThat(ran).hasValue(0);
    }

    @Test
    void d1_laneOfAStrandThatWaitsForADelayedTask_endsAndDoesNotTerminateIt() throws InterruptedException {
        Strand strand = spindle.strand("s");
        strand.schedule(ran::incrementAndGet, 1, TimeUnit.HOURS);
        strand.execute(gate);
        gate.awaitEntered();
        strand.shutdown();
        gate.open();
        assertThat(strand.awaitTermination(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(strand.shutdownNow()).hasSize(1);
        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void d1_strandNeverUsed_terminatesAtOnce() {
        Strand strand = spindle.strand("s");
        assertThat(strand.isTerminated()).isFalse();
        strand.shutdown();
        assertThat(strand.isTerminated()).isTrue();
        assertThat(spindle.strand("t").shutdownNow()).isEmpty();
    }

    @Test
    void d1_text_saysInWhichStateTheSpindleIs() throws InterruptedException {
        Spindle spindle =
                Spindles.options().name("told").coreThreads(1).maxThreads(1).build();
        assertThat(spindle).hasToString("spindle told[running, 0 threads, 0 keys]");
        Gate gate = new Gate();
        spindle.keyed("tasks").execute("key", gate);
        gate.awaitEntered();
        assertThat(spindle).hasToString("spindle told[running, 1 threads, 1 keys]");
        CompletableFuture<?> keyed = spindle.keyed("tasks").submit("key", () -> {});
        assertThat(keyed.toString()).contains("task ").contains(" of ").contains("key");
        CompletableFuture<?> plain = spindle.submit(() -> {});
        assertThat(plain.toString()).contains("task ").doesNotContain(" of ");
        spindle.shutdown();
        assertThat(spindle).hasToString("spindle told[shut down, 1 threads, 1 keys]");
        gate.open();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(spindle).hasToString("spindle told[terminated, 0 threads, 0 keys]");
    }
}
