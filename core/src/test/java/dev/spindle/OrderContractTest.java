// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_NONE;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** K3 to K5: the order of the tasks of a lane, and the visibility of their writes. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class OrderContractTest {
    private static final int ROUNDS = 20_000;

    @RegisterExtension
    final Spindles spindles = new Spindles();

    /** Plain: written by the tasks of one lane. */
    private final List<Integer> ran = new ArrayList<>();

    private int plain;

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    // ---------------------------------------------------------------- K3

    @Test
    void k3_submitsFromOneThread_runInOrder() {
        Keyed<String> keys = spindles.spindle().keyed("tasks");

        for (int i = 0; i < ROUNDS; i++) {
            int number = i;
            keys.execute("key", () -> ran.add(number));
        }

        result(keys.at("key").quiesce());
        assertThat(ran).isEqualTo(numbers(ROUNDS));
    }

    @Test
    void k3_submitsOfAllKinds_runInOrder() {
        Spindle spindle = spindles.spindle();
        Lane lane = spindle.<Object>keyed("tasks").at("key");
        lane.pause();

        lane.execute(() -> ran.add(0));
        lane.coalesce(() -> ran.add(1));
        lane.submit(() -> ran.add(2));
        lane.submitAsync(() -> CompletableFuture.completedFuture(ran.add(3)));
        lane.coalesceSlot("slot", () -> ran.add(4));
        spindle.execute(new EntryPoint.Sequential(() -> "key", () -> ran.add(5)));
        spindle.submit((Runnable) new EntryPoint.Sequential(() -> "key", () -> ran.add(6)));
        lane.resume();

        result(lane.quiesce());
        assertThat(ran).isEqualTo(numbers(7));
    }

    @Test
    void k3_submitsHandedFromThreadToThread_runInOrder() throws Exception {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        Exchanger<Integer> turnstile = new Exchanger<>();
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < 2000; i += 2) {
                    int number = turnstile.exchange(i);
                    keys.execute("key", () -> ran.add(number));
                    turnstile.exchange(number);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();

        for (int i = 0; i < 2000; i += 2) {
            int number = i;
            keys.execute("key", () -> ran.add(number));
            turnstile.exchange(number + 1);
            turnstile.exchange(number);
        }

        other.join();
        result(keys.at("key").quiesce());
        assertThat(ran).isEqualTo(numbers(2000));
    }

    @Test
    void k3_submitsOrderedByALock_runInOrder() throws Exception {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        int[] next = {0};
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < ROUNDS / 4; i++) {
                    synchronized (next) {
                        int number = next[0]++;
                        keys.execute("key", () -> ran.add(number));
                    }
                }
            });
            producer.start();
            producers.add(producer);
        }
        for (Thread producer : producers) {
            producer.join();
        }

        result(keys.at("key").quiesce());
        assertThat(ran).isEqualTo(numbers(ROUNDS));
    }

    @Test
    void k3_concurrentProducers_keepEachOnesOrder() throws Exception {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        CyclicBarrier together = new CyclicBarrier(4);
        List<List<Integer>> seen = new ArrayList<>();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            List<Integer> mine = new ArrayList<>();
            seen.add(mine);
            Thread producer = new Thread(() -> {
                try {
                    together.await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                for (int i = 0; i < ROUNDS / 4; i++) {
                    int number = i;
                    keys.execute("key", () -> mine.add(number));
                }
            });
            producer.start();
            producers.add(producer);
        }
        for (Thread producer : producers) {
            producer.join();
        }

        result(keys.at("key").quiesce());
        assertThat(seen).allSatisfy(mine -> assertThat(mine).isEqualTo(numbers(ROUNDS / 4)));
    }

    @Test
    void k3_acrossRemovalAndRecreationOfTheKey_runInOrder() {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofNanos(50_000)));
        Keyed<String> keys = spindle.keyed("tasks");

        for (int i = 0; i < 3000; i++) {
            int number = i;
            keys.execute("key", () -> ran.add(number));
            if (i % 10 == 0) {
                until(() -> spindle.stats().keys() == 0);
            }
        }

        result(keys.at("key").quiesce());
        assertThat(ran).isEqualTo(numbers(3000));
    }

    @Test
    void k3_withdrawnTasksBetween_othersKeepTheirOrder() {
        Lane lane = spindles.spindle().<Object>keyed("tasks").at("key");
        lane.pause();
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            futures.add(lane.submit(() -> ran.add(number)));
        }
        for (int i = 1; i < 100; i += 2) {
            assertThat(futures.get(i).cancel(false)).isTrue();
        }
        lane.resume();

        result(lane.quiesce());
        assertThat(ran).isEqualTo(numbers(100).stream().filter(i -> i % 2 == 0).toList());
    }

    // ---------------------------------------------------------------- K4

    @Test
    void k4_whatTheSubmitterWrote_isSeenByTheTask() {
        Keyed<Integer> keys = spindles.spindle().keyed("tasks");
        CountDownLatch right = new CountDownLatch(ROUNDS);
        for (int i = 0; i < ROUNDS; i++) {
            int[] box = new int[1];
            int number = i + 1;
            box[0] = number;
            keys.execute(i % 16, () -> {
                if (box[0] == number) {
                    right.countDown();
                }
            });
        }
        await(right);
    }

    @Test
    void k4_whatATurnWrote_isSeenByTheNextOnWhicheverThread() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(4));
        Keyed<String> keys = spindle.keyed("tasks");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            keys.execute("key", () -> {
                plain++;
                if (!threads.contains(Thread.currentThread())) {
                    threads.add(Thread.currentThread());
                }
            });
            if (i % 50 == 0) {
                spindle.execute(Thread::yield); // makes the lane yield, so that its turns change threads
                Thread.yield();
            }
        }

        result(keys.at("key").quiesce());
        assertThat(plain).isEqualTo(ROUNDS);
    }

    @Test
    void k4_acrossRemovalAndRecreationOfTheKey_theNextTurnSees() throws Exception {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofNanos(50_000)));
        Keyed<String> keys = spindle.keyed("tasks");
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < 5000; i++) {
                    keys.execute("key", () -> plain++);
                    if (i % 25 == 0) {
                        Thread.yield();
                        TestSupport.until(() -> keys.at("key").activity().pending() == 0);
                    }
                }
            });
            producer.start();
            producers.add(producer);
        }
        for (Thread producer : producers) {
            producer.join();
        }
        result(keys.at("key").quiesce());
        assertThat(plain).isEqualTo(10_000);

        for (int i = 0; i < 200; i++) {
            until(() -> spindle.stats().keys() == 0);
            int expected = 10_000 + i;
            boolean seen = result(keys.submit("key", () -> plain++ == expected));
            assertThat(seen).isTrue();
        }
    }

    @Test
    void k4_whatATurnWrote_isSeenAfterItsFuture() throws Exception {
        Keyed<Integer> keys = spindles.spindle().keyed("tasks");
        for (int i = 0; i < 2000; i++) {
            int[] box = new int[3];
            CompletableFuture<?> joined = keys.submit(i % 3, () -> box[0] = 1);
            CompletableFuture<?> got = keys.submit(i % 3, () -> box[1] = 2);
            CompletableFuture<?> polled = keys.submit(i % 3, () -> box[2] = 3);

            joined.join();
            assertThat(box[0]).isEqualTo(1);
            got.get(20, TimeUnit.SECONDS);
            assertThat(box[1]).isEqualTo(2);
            while (!polled.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(box[2]).isEqualTo(3);
        }
    }

    @Test
    void k4_whatTheCompleterOfAnAsyncStageWrote_isSeenByTheNextTurn() throws Exception {
        Lane lane = spindles.spindle().<Object>keyed("tasks").at("key");
        for (int i = 0; i < 500; i++) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            int number = i;
            lane.submitAsync(() -> stage);
            CompletableFuture<Boolean> next = lane.submit(() -> plain == number);
            Thread completer = new Thread(() -> {
                plain = number;
                stage.complete("done");
            });
            completer.start();
            boolean seen = result(next);
            assertThat(seen).isTrue();
            completer.join();
        }
    }

    // ---------------------------------------------------------------- K5

    @ParameterizedTest
    @EnumSource(mode = MATCH_NONE, names = "INVOKE.*")
    void k5_submitToTheOwnLane_isQueuedAndNotRunInline(EntryPoint entry) {
        Spindle spindle = spindles.spindle();
        AtomicBoolean inside = new AtomicBoolean();
        AtomicBoolean wasInside = new AtomicBoolean();
        Gate ran = new Gate();
        ran.open();

        CompletableFuture<Boolean> outer = spindle.<Object>keyed("tasks").submit("key", () -> {
            inside.set(true);
            entry.submit(spindle, "key", () -> {
                wasInside.set(inside.get());
                ran.run();
            });
            boolean ranInline = ran.isEntered();
            inside.set(false);
            return ranInline;
        });

        assertThat(result(outer)).isFalse();
        ran.awaitEntered();
        assertThat(wasInside).isFalse();
    }

    @Test
    void k5_submitsFromInsideATurn_runAfterWhatWasThereBefore() {
        Lane lane = spindles.spindle().<Object>keyed("tasks").at("key");
        lane.pause();
        lane.execute(() -> {
            ran.add(0);
            lane.execute(() -> ran.add(2));
        });
        lane.execute(() -> {
            ran.add(1);
            lane.execute(() -> ran.add(3));
        });
        lane.resume();

        until(() -> lane.activity().pending() == 0);
        result(lane.quiesce());
        assertThat(ran).isEqualTo(numbers(4));
    }
}
