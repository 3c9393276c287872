// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.passThrough;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** K8: pause, resume and cancelPending. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class LaneControlTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger ran = new AtomicInteger();

    // ---------------------------------------------------------------- pause, resume

    @Test
    void k8_pause_runningTaskEndsAndNoFurtherOneStarts() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("tasks");
        Gate gate = new Gate();
        CompletableFuture<?> running = keys.submit("key", gate);
        keys.execute("key", ran::incrementAndGet);
        gate.awaitEntered();

        keys.at("key").pause();
        gate.open();

        result(running);
        passThrough(spindle);
        assertThat(ran).hasValue(0);
        keys.at("key").resume();
        until(() -> ran.get() == 1);
    }

    @Test
    void k8_pause_acceptsSubmitsOfAllKindsAndRunsThemLater() throws Exception {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("tasks");
        keys.at("key").pause();
        int submitted = 0;
        for (EntryPoint entry : EntryPoint.values()) {
            if (!entry.waits() && !entry.coalesces()) {
                entry.submit(spindle, "key", ran::incrementAndGet);
                submitted++;
            }
        }
        keys.coalesce("key", ran::incrementAndGet);
        submitted++;

        int expected = submitted;
        until(() -> keys.at("key").activity().pending() == expected);
        passThrough(spindle);
        assertThat(ran).hasValue(0);
        keys.at("key").resume();
        until(() -> ran.get() == expected);
    }

    @Test
    void k8_pauseFromInsideATurn_holdsTheNextTask() {
        Spindle spindle = spindles.spindle();
        Lane lane = spindle.keyed("tasks").at("key");
        CompletableFuture<?> pausing = lane.submit((Runnable) lane::pause);
        lane.execute(ran::incrementAndGet);

        result(pausing);
        passThrough(spindle);
        assertThat(ran).hasValue(0);
        lane.resume();
        until(() -> ran.get() == 1);
    }

    @Test
    void k8_resume_counts() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("tasks");
        keys.at("key").pause();
        keys.at("key").pause();
        keys.at("key").pause();
        keys.execute("key", ran::incrementAndGet);

        keys.at("key").resume();
        keys.at("key").resume();
        passThrough(spindle);
        assertThat(ran).hasValue(0);
        assertThat(keys.at("key").activity().isPaused()).isTrue();

        keys.at("key").resume();
        until(() -> ran.get() == 1);
        assertThat(keys.at("key").activity().isPaused()).isFalse();
    }

    @Test
    void k8_resumeOnceTooOften_throwsIllegalStateException() {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        assertThatThrownBy(() -> keys.at("K-17").resume())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("K-17");
        keys.at("K-17").pause();
        keys.at("K-17").resume();

        assertThatThrownBy(() -> keys.at("K-17").resume())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("K-17");

        keys.execute("K-17", ran::incrementAndGet);
        until(() -> ran.get() == 1);
    }

    @Test
    void k8_pause_holdsNoOtherKey() {
        Keyed<String> keys =
                spindles.of(spindles.builder().coreThreads(1).maxThreads(1)).keyed("tasks");
        keys.at("key").pause();
        keys.execute("key", ran::incrementAndGet);

        result(keys.submit("other", () -> {}));

        assertThat(ran).hasValue(0);
        keys.at("key").resume();
        until(() -> ran.get() == 1);
    }

    @Test
    void k8_pauseAndResumeFromManyThreads_loseNoTask() throws Exception {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 2000; i++) {
                    keys.at("key").pause();
                    keys.execute("key", ran::incrementAndGet);
                    keys.at("key").resume();
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        until(() -> ran.get() == 6000);
        assertThat(keys.at("key").activity().isPaused()).isFalse();
    }

    @Test
    void k8_hundredThousandPausedLanes_resumedRunEverythingInOrder() {
        int lanes = 100_000;
        Spindle spindle = spindles.spindle();
        Keyed<Integer> keys = spindle.keyed("tasks");
        int[] last = new int[lanes]; // plain: each written by its lane's turns
        for (int i = 0; i < lanes; i++) {
            keys.at(i).pause();
        }
        for (int task = 1; task <= 3; task++) {
            int number = task;
            for (int i = 0; i < lanes; i++) {
                int lane = i;
                keys.execute(i, () -> {
                    if (last[lane] == number - 1) {
                        last[lane] = number;
                    }
                    ran.incrementAndGet();
                });
            }
        }
        passThrough(spindle);
        assertThat(ran).hasValue(0);

        for (int i = 0; i < lanes; i++) {
            keys.at(i).resume();
        }

        until(() -> ran.get() == 3 * lanes);
        assertThat(last).containsOnly(3);
    }

    // ---------------------------------------------------------------- cancelPending

    @Test
    void k8_cancelPending_returnsTheUsersOwnObjectsInOrder() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("tasks");
        Runnable executed = () -> ran.incrementAndGet();
        Runnable submitted = () -> ran.incrementAndGet();
        Runnable coalesced = () -> ran.incrementAndGet();
        Callable<Integer> callable = ran::incrementAndGet;
        EntryPoint.Sequential sequential = new EntryPoint.Sequential(() -> "key", executed);
        EntryPoint.Sequential sequentialSubmitted = new EntryPoint.Sequential(() -> "key", executed);
        keys.at("key").pause();

        keys.execute("key", executed);
        CompletableFuture<?> ofRunnable = keys.submit("key", submitted);
        CompletableFuture<Integer> ofCallable = keys.submit("key", callable);
        CompletableFuture<Boolean> handle = keys.coalesce("key", coalesced);
        CompletableFuture<String> ofAsync = keys.submitAsync("key", () -> {
            ran.incrementAndGet();
            return new CompletableFuture<>();
        });
        spindle.execute(sequential);
        CompletableFuture<?> ofSequential = spindle.submit((Runnable) sequentialSubmitted);
        List<Runnable> withdrawn = keys.at("key").cancelPending();

        assertThat(withdrawn)
                .satisfiesExactly(
                        task -> assertThat(task).isSameAs(executed),
                        task -> assertThat(task).isSameAs(submitted),
                        task -> assertThat(task).isSameAs(ofCallable),
                        task -> assertThat(task).isSameAs(coalesced),
                        task -> assertThat(task).isSameAs(ofAsync),
                        task -> assertThat(task).isSameAs(sequential),
                        task -> assertThat(task).isSameAs(sequentialSubmitted));
        assertThat(List.of(ofRunnable, ofCallable, ofAsync, ofSequential)).allMatch(CompletableFuture::isCancelled);
        assertThat(handle).isCancelled();
        keys.at("key").resume();
        result(keys.at("key").quiesce());
        assertThat(ran).hasValue(0);
    }

    @Test
    void k8_cancelPending_returnsADueTaskToo() {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        Runnable due = ran::incrementAndGet;
        keys.at("key").pause();
        var future = keys.at("key").schedule(due, 1, TimeUnit.MILLISECONDS);
        until(() -> keys.at("key").activity().pending() == 1);

        assertThat(keys.at("key").cancelPending()).containsExactly(due);
        assertThat(future.isCancelled()).isTrue();
        keys.at("key").resume();
    }

    @Test
    void k8_cancelPendingDuringALongTask_takesAllThatWaitsAndLeavesTheTask() {
        Spindle spindle = spindles.spindle();
        Lane lane = spindle.keyed("tasks").at("key");
        Gate first = new Gate();
        Gate second = new Gate();
        List<Runnable> tasks = new ArrayList<>();
        lane.pause();
        lane.execute(first);
        CompletableFuture<?> running = lane.submit(second);
        for (int i = 0; i < 10; i++) {
            tasks.add(countingTask());
            lane.execute(tasks.get(i)); // cancelled after the turn has taken the chain
        }
        lane.resume();
        first.awaitEntered().open();
        second.awaitEntered();
        for (int i = 10; i < 20; i++) {
            tasks.add(countingTask());
            lane.execute(tasks.get(i));
        }

        assertThat(lane.cancelPending()).containsExactlyElementsOf(tasks);

        assertThat(running).isNotDone();
        second.open();
        result(running);
        result(lane.submit(() -> {}));
        assertThat(ran).hasValue(0);
    }

    private Runnable countingTask() {
        return new Runnable() {
            @Override
            public void run() {
                ran.incrementAndGet();
            }
        };
    }

    @Test
    void k8_cancelPendingOfAQuietKey_returnsNothing() {
        Keyed<String> keys = spindles.spindle().keyed("tasks");

        assertThat(keys.at("never used").cancelPending()).isEmpty();
        result(keys.submit("used", () -> {}));
        assertThat(keys.at("used").cancelPending()).isEmpty();
    }

    @Test
    void k8_cancelPendingAgainstSubmitsAndRuns_eachTaskRunsOrIsReturned() throws Exception {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 20_000; i++) {
                keys.execute("key", ran::incrementAndGet);
            }
        });
        producer.start();
        int returned = 0;
        while (producer.isAlive()) {
            returned += keys.at("key").cancelPending().size();
        }
        producer.join();
        returned += keys.at("key").cancelPending().size();

        result(keys.at("key").quiesce());
        assertThat(ran.get() + returned).isEqualTo(20_000);
    }
}
