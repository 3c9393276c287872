// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M1: the counts of the pool. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class PoolCountersContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger ran = new AtomicInteger();

    private static void awaitRest(Spindle spindle) {
        until(() -> {
            SpindleStats stats = spindle.stats();
            return stats.idleThreads() == stats.threads() && stats.accepted() == stats.completed() + gone(stats);
        });
    }

    private static long gone(SpindleStats stats) {
        return stats.superseded() + stats.dropped();
    }

    // ---------------------------------------------------------------- submits

    @Test
    void m1_submitted_countsWhatRunsAndWhatWaitsInEachKindOfQueue() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        LogicalExecutor reads = spindle.executor("reads", 2);
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        assertThat(spindle.stats().accepted()).isEqualTo(1);

        spindle.execute(ran::incrementAndGet);
        spindle.execute(ran::incrementAndGet);
        assertThat(spindle.stats().accepted()).isEqualTo(3);
        for (int i = 0; i < 100; i++) {
            spindle.keyed("keys").execute(i % 3, ran::incrementAndGet);
        }
        assertThat(spindle.stats().accepted()).isEqualTo(103);
        for (int i = 0; i < 10; i++) {
            reads.execute(ran::incrementAndGet);
        }
        assertThat(spindle.stats().accepted()).isEqualTo(113);
        spindle.keyed("keys").at("paused").pause();
        spindle.strand("strand").execute(ran::incrementAndGet);
        spindle.keyed("keys").execute("paused", ran::incrementAndGet);
        assertThat(spindle.stats().accepted()).isEqualTo(115);
        var unused = spindle.schedule(ran::incrementAndGet, 1, TimeUnit.DAYS); // counts when it is due

        assertThat(spindle.stats().accepted()).isEqualTo(115);
        assertThat(spindle.stats().completed()).isZero();
        gate.open();
        until(() -> ran.get() == 113);
        assertThat(spindle.stats().accepted()).isEqualTo(115);
        until(() -> spindle.stats().completed() == 114);
        spindle.keyed("keys").at("paused").resume();
        awaitRest(spindle);
        assertThat(spindle.stats().accepted()).isEqualTo(115);
        assertThat(spindle.stats().completed()).isEqualTo(115);
    }

    @Test
    void m1_submitted_countsWhatWasTakenAwayAndNotWhatWasRejected() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        spindle.keyed("keys").setKeyCapacity(2, OnFull.dropOldest());
        LogicalExecutor reads = spindle.executor("reads", 1);
        Keyed<String> keys = spindle.keyed("keys");
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        keys.execute("key", ran::incrementAndGet);
        keys.execute("key", ran::incrementAndGet);
        keys.execute("key", ran::incrementAndGet); // drops the first
        assertThat(spindle.stats().dropped()).isEqualTo(1);
        assertThat(spindle.stats().accepted()).isEqualTo(4);
        assertThat(keys.at("key").cancelPending()).hasSize(2);
        assertThat(spindle.stats().accepted()).isEqualTo(4);
        CompletableFuture<Boolean> latest = keys.coalesce("other", ran::incrementAndGet);
        assertThat(latest.cancel(false)).isTrue();
        assertThat(spindle.stats().accepted()).isEqualTo(5);
        CompletableFuture<?> cancelled = spindle.submit(ran::incrementAndGet);
        cancelled.cancel(false); // gets its turn and does nothing
        reads.execute(ran::incrementAndGet);
        reads.execute(ran::incrementAndGet);
        assertThat(reads.shutdownNow()).hasSize(2);
        assertThatThrownBy(() -> reads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(spindle.stats().accepted()).isEqualTo(8);
        assertThat(spindle.shutdownNow()).hasSize(1);
        gate.open();
        until(spindle::isTerminated);

        assertThat(spindle.stats().accepted()).isEqualTo(8);
        assertThat(spindle.stats().completed()).isEqualTo(1);
        assertThat(ran).hasValue(0);
        assertThat(spindles.takeFailures()).hasSize(1);
    }

    @Test
    void m1_submitted_readWhileTasksFly_neverGoesBackAndIsNeverTooMuch() throws Exception {
        Spindle spindle = spindles.of(spindles.builder().keepAlive(Duration.ofMillis(1)));
        AtomicInteger begun = new AtomicInteger();
        LogicalExecutor reads = spindle.executor("reads", 2);
        Thread submitter = new Thread(() -> {
            for (int i = 0; i < 50_000; i++) {
                begun.addAndGet(4);
                spindle.execute(ran::incrementAndGet);
                spindle.keyed("keys").execute(i % 100, ran::incrementAndGet);
                spindle.keyed("keys").coalesce("latest", ran::incrementAndGet);
                reads.execute(ran::incrementAndGet);
            }
        });
        submitter.start();
        long last = 0;
        long lastCompleted = 0;
        while (submitter.isAlive()) {
            SpindleStats stats = spindle.stats();
            assertThat(stats.accepted()).isBetween(last, (long) begun.get());
            assertThat(stats.completed()).isBetween(lastCompleted, stats.accepted());
            last = stats.accepted();
            lastCompleted = stats.completed();
        }
        submitter.join();
        until(() -> spindle.stats().completed() + spindle.stats().superseded() == 200_000);

        assertThat(spindle.stats().accepted()).isEqualTo(200_000);
    }

    @Test
    void m1_superseded_isThatOfAllLanesPastAndPresent() {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofMillis(1)));
        Keyed<String> keys = spindle.keyed("keys");
        keys.at("a").pause();
        keys.at("b").pause();
        for (int i = 0; i < 4; i++) {
            keys.coalesce("a", ran::incrementAndGet);
            keys.at("a").coalesceSlot("slot", ran::incrementAndGet);
        }
        keys.coalesce("b", ran::incrementAndGet);
        CompletableFuture<Boolean> latest = keys.coalesce("b", ran::incrementAndGet);
        assertThat(spindle.stats().superseded()).isEqualTo(7);

        assertThat(latest.cancel(false)).isTrue();
        assertThat(spindle.stats().superseded()).isEqualTo(7);
        keys.at("a").resume();
        keys.at("b").resume();
        until(() -> spindle.stats().keys() == 0);

        assertThat(spindle.stats().superseded()).isEqualTo(7);
        assertThat(spindle.stats().accepted()).isEqualTo(10);
        assertThat(spindle.stats().completed()).isEqualTo(2);
    }

    // ---------------------------------------------------------------- workers

    @Test
    void m1_wakeUps_countThreadsStartedAndWoken() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        assertThat(spindle.stats().wakeUps()).isZero();
        result(spindle.submit(() -> {}));
        awaitRest(spindle);
        assertThat(spindle.stats().wakeUps()).isEqualTo(1);

        result(spindle.submit(() -> {}));
        awaitRest(spindle);

        assertThat(spindle.stats().wakeUps()).isEqualTo(2);
    }

    @Test
    void m1_wakeUps_ofAThreadThatCouldNotBeStarted_doNotCount() {
        Spindle spindle = spindles.of(spindles.builder().threadFactory(worker -> {
            throw new IllegalStateException("no thread");
        }));

        assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);

        assertThat(spindle.stats().wakeUps()).isZero();
        assertThat(spindle.stats().accepted()).isZero();
    }

    @Test
    void m1_blockedThreads_areThoseWhoseTaskWaits() {
        Spindle spindle = spindles.of(
                spindles.builder().coreThreads(1).maxThreads(3).growCoreAfter(0).keepAlive(Duration.ofMillis(1)));
        List<Gate> gates = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Gate gate = new Gate();
            gates.add(gate);
            spindle.execute(gate);
        }
        gates.forEach(Gate::awaitEntered);

        until(() -> spindle.stats().blockedThreads() == 3);
        assertThat(spindle.stats().running()).isEqualTo(3);
        gates.forEach(Gate::open);
        until(() -> spindle.stats().threads() == 1);
        // The last thread may not have run since its gate was opened, so its task may still wait there.
        until(() -> spindle.stats().running() == 0);
        assertThat(spindle.stats().blockedThreads()).isZero();
    }

    @Test
    void m1_counts_ofWorkersThatHaveEnded_stay() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        for (int i = 0; i < 100; i++) {
            result(spindle.submit(() -> {}));
        }
        spindle.keyed("keys").execute("key", () -> {
            throw new IllegalStateException("expected");
        });
        spindle.close();

        SpindleStats stats = spindle.stats();

        assertThat(stats.threads()).isZero();
        assertThat(stats.idleThreads()).isZero();
        assertThat(stats.completed()).isEqualTo(101);
        assertThat(stats.accepted()).isEqualTo(101);
        assertThat(stats.failed()).isEqualTo(1);
        assertThat(stats.wakeUps()).isPositive();
        assertThat(stats.steals()).isZero();
        assertThat(spindles.takeFailures()).hasSize(1);
    }

    @Test
    void m1_stats_areReadWhileTheLockOfTheWorkersIsHeld() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        Gate held = new Gate();
        Spindle spindle = spindles.of(spindles.builder()
                .threadFactory(worker -> {
                    failed.set(true);
                    throw new IllegalStateException("no thread");
                })
                .clock(() -> {
                    if (failed.getAndSet(false)) {
                        held.run(); // the failure is noted, with its time, under the lock
                    }
                    return System.nanoTime();
                }));
        Thread submitter = new Thread(() ->
                assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class));
        submitter.start();
        held.awaitEntered();
        Thread other = new Thread(() ->
                assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class));
        other.start();
        until(() -> other.getState() == Thread.State.WAITING); // for the lock, which is held

        SpindleStats stats = result(CompletableFuture.supplyAsync(spindle::stats));

        assertThat(stats.completed()).isZero();
        assertThat(other.isAlive()).isTrue();
        held.open();
        submitter.join();
        other.join();
    }
}
