// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.passThrough;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** K8: quiesce. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class QuiesceTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger ran = new AtomicInteger();

    @Test
    void k8_quiesce_completesWhenAllAcceptedBeforeHasEnded() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("keys");
        Gate first = new Gate();
        Gate second = new Gate();
        keys.execute("key", first);
        keys.execute("key", second);

        CompletableFuture<?> quiet = keys.at("key").quiesce();
        first.awaitEntered().open();
        second.awaitEntered();
        passThrough(spindle);

        assertThat(quiet).isNotDone();
        second.open();
        result(quiet);
    }

    @Test
    void k8_quiesce_doesNotWaitForWhatIsAcceptedAfterIt() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        Gate before = new Gate();
        Gate after = new Gate();
        keys.execute("key", before);
        CompletableFuture<?> quiet = keys.at("key").quiesce();
        keys.execute("key", after);

        before.open();
        result(quiet);

        after.open();
    }

    @Test
    void k8_quiesceOfAQuietKey_isDoneAtOnce() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        assertThat(keys.at("never used").quiesce()).isCompleted();

        result(keys.submit("used", () -> {}));
        result(keys.at("used").quiesce());
    }

    @Test
    void k8_quiesceWithFailedCancelledAndSupersededTasks_completes() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        keys.at("key").pause();
        keys.submit("key", () -> {
            throw new IllegalStateException("expected");
        });
        keys.submit("key", () -> {}).cancel(false);
        keys.coalesce("key", () -> {});
        keys.coalesce("key", () -> {}).cancel(false);
        CompletableFuture<?> quiet = keys.at("key").quiesce();
        assertThat(quiet).isNotDone();
        keys.at("key").resume();

        result(quiet);
    }

    @Test
    void k8_quiesceAndCancelPending_completesWithoutTheCancelledTasks() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        Gate gate = new Gate();
        keys.execute("key", gate);
        gate.awaitEntered();
        keys.execute("key", () -> {});
        CompletableFuture<?> quiet = keys.at("key").quiesce();

        assertThat(keys.at("key").cancelPending()).hasSize(1);

        assertThat(quiet).isNotDone();
        gate.open();
        result(quiet);
    }

    @Test
    void k8_quiesceOfAnOpenAsyncTask_waitsForItsStage() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<String> stage = new CompletableFuture<>();
        keys.submitAsync("key", () -> stage);

        CompletableFuture<?> quiet = keys.at("key").quiesce();
        passThrough(spindle);

        assertThat(quiet).isNotDone();
        stage.complete("done");
        result(quiet);
    }

    @Test
    void k8_quiesceOfAPausedKeyWithNothingPending_completes() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        Gate gate = new Gate();
        keys.execute("key", gate);
        gate.awaitEntered();
        keys.at("key").pause();

        CompletableFuture<?> whileRunning = keys.at("key").quiesce();
        gate.open();
        result(whileRunning);

        result(keys.at("key").quiesce());
        keys.execute("key", ran::incrementAndGet);
        assertThat(keys.at("key").quiesce()).isNotDone();
        keys.at("key").resume();
        until(() -> ran.get() == 1);
    }

    @Test
    void k8_quiesceOfAPausedKeyWhoseTasksAreCancelled_completes() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("keys");
        keys.at("key").pause();
        keys.execute("key", ran::incrementAndGet);
        keys.coalesce("key", ran::incrementAndGet);
        untilAtRest(spindle);
        CompletableFuture<?> first = keys.at("key").quiesce();
        keys.at("key").coalesceSlot("slot", ran::incrementAndGet);
        CompletableFuture<?> second = keys.at("key").quiesce();
        untilAtRest(spindle);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();

        assertThat(keys.at("key").cancelPending()).hasSize(3);

        result(first);
        result(second);
        keys.coalesce("key", ran::incrementAndGet);
        keys.at("key").coalesceSlot("slot", ran::incrementAndGet);
        keys.at("key").resume();
        until(() -> ran.get() == 2);
    }

    private static void untilAtRest(Spindle spindle) {
        until(() -> spindle.stats().idleThreads() == spindle.stats().threads());
    }

    @Test
    void k8_quiesceBehindAnOpenAsyncTaskOfAPausedKey_completesWithIt() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> future = keys.submitAsync("key", () -> {
            ran.incrementAndGet();
            return stage;
        });
        until(() -> ran.get() == 1);
        keys.at("key").pause();
        CompletableFuture<?> quiet = keys.at("key").quiesce();
        keys.execute("key", ran::incrementAndGet);

        untilAtRest(spindle);
        stage.complete("value");

        result(quiet);
        assertThat(future).isCompleted();
        assertThat(ran).hasValue(1);
        keys.at("key").resume();
        until(() -> ran.get() == 2);
    }

    /** A caller that finds no thread empties the lane itself. While it does, a thread starts and a task is accepted. */
    @Test
    void k8_taskAcceptedWhileAQuiesceWithoutAThreadEnds_runs() {
        AtomicInteger attempts = new AtomicInteger();
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Spindle spindle = spindles.of(spindles.builder().threadFactory(worker -> {
            int attempt = attempts.incrementAndGet();
            if (attempt == 2) { // for the quiesce; the first attempt is for the linger timer of the new lane
                meanwhile.get().run();
            }
            if (attempt <= 2) {
                throw new IllegalStateException("no thread");
            }
            return new Thread(worker);
        }));
        Keyed<String> keys = spindle.keyed("keys");
        CountDownLatch done = new CountDownLatch(1);
        meanwhile.set(() -> keys.at("key").quiesce().thenRun(() -> {
            keys.at("key").resume();
            keys.execute("key", done::countDown);
        }));
        keys.at("key").pause(); // creates the lane

        keys.at("key").quiesce();

        await(done);
    }

    @Test
    void k8_quiesceRacingWithPauseAndResume_neverHangs() throws Exception {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        Thread pauser = new Thread(() -> {
            for (int i = 0; i < 5000; i++) {
                keys.at("key").pause();
                keys.at("key").resume();
            }
        });
        pauser.start();
        for (int i = 1; i <= 2000; i++) {
            keys.execute("key", ran::incrementAndGet);
            result(keys.at("key").quiesce());
            assertThat(ran).hasValue(i);
        }
        pauser.join();
    }

    @Test
    void k8_quiesceOfASpace_waitsForAllItsKeysAndNoOther() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(3));
        Keyed<String> keys = spindle.keyed("space");
        keys.at("a").pause();
        keys.at("b").pause();
        spindle.<String>keyed("other").at("a").pause();
        keys.execute("a", ran::incrementAndGet);
        keys.execute("b", ran::incrementAndGet);
        spindle.<String>keyed("other").execute("a", () -> {});

        CompletableFuture<?> quiet = keys.quiesce();

        keys.at("a").resume();
        result(keys.at("a").quiesce());
        assertThat(quiet).isNotDone();
        keys.at("b").resume();
        result(quiet);
        assertThat(ran).hasValue(2);
        spindle.<String>keyed("other").at("a").resume();
    }
}
