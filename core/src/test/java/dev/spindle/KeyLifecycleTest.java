// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** K7: an idle key leaves nothing behind. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class KeyLifecycleTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private Spindle forgetful() {
        return spindles.of(spindles.builder().keyKeepAlive(Duration.ofMillis(5)));
    }

    @Test
    void k7_quietKey_leavesTheTable() {
        Spindle spindle = forgetful();
        Keyed<String> keys = spindle.keyed("tasks");
        result(keys.submit("key", () -> {}));

        until(() -> spindle.stats().keys() == 0);

        assertThat(keys.at("key").activity().pending()).isZero();
    }

    @Test
    void k7_quietKey_staysForItsLingerTime() {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofMinutes(5)));
        Keyed<Integer> keys = spindle.keyed("tasks");
        for (int i = 0; i < 100; i++) {
            keys.execute(i, () -> {});
        }
        until(() -> spindle.stats().completed() == 100);

        assertThat(spindle.stats().keys()).isEqualTo(100);
    }

    @Test
    void k7_afterAnyKindOfUse_theTableBecomesEmpty() throws Exception {
        Spindle spindle = forgetful();
        Keyed<Object> keys = spindle.keyed("tasks");
        int number = 0;
        for (EntryPoint entry : EntryPoint.values()) {
            if (!entry.name().contains("FIXED")) {
                entry.submit(spindle, "key" + number++, () -> {});
            }
        }
        keys.at("paused").pause();
        keys.execute("paused", () -> {});
        keys.at("paused").cancelPending();
        keys.at("paused").resume();
        keys.coalesce("cancelled", () -> {}).cancel(false);
        keys.submit("cancelled", () -> {}).cancel(true);
        keys.submitAsync("failed", () -> CompletableFuture.failedFuture(new IllegalStateException("expected")));
        spindle.strand("strand").execute(() -> {});

        int used = number;
        until(() -> spindle.stats().completed() >= used && spindle.stats().keys() == 0);
    }

    @Test
    void k7_keyInUse_isNotForgotten() {
        Spindle spindle = forgetful();
        Keyed<String> keys = spindle.keyed("tasks");
        CompletableFuture<String> stage = new CompletableFuture<>();
        Gate gate = new Gate();
        keys.at("paused").pause();
        keys.submitAsync("open", () -> stage);
        keys.execute("running", gate);
        gate.awaitEntered();

        result(keys.submit("quiet", () -> {}));
        until(() -> spindle.stats().keys() == 3);
        result(keys.submit("quiet again", () -> {}));
        until(() -> spindle.stats().keys() == 3);

        assertThat(spindle.stats().keys()).isEqualTo(3);
        assertThat(keys.at("paused").activity().isPaused()).isTrue();
        gate.open();
        stage.complete("done");
        keys.at("paused").resume();
        until(() -> spindle.stats().keys() == 0);
    }

    @Test
    void k7_quietKey_keyTaskAndResultAreUnreachable() {
        Spindle spindle = forgetful();

        List<WeakReference<Object>> references = useAndForget(spindle);

        until(() -> spindle.stats().keys() == 0);
        until(() -> {
            System.gc();
            return references.stream().allMatch(r -> r.get() == null);
        });
        result(spindle.submit(() -> "the executor is alive"));
    }

    private static List<WeakReference<Object>> useAndForget(Spindle spindle) {
        Keyed<Object> keys = spindle.keyed("tasks");
        List<WeakReference<Object>> references = new ArrayList<>();
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Object key = new Object();
            Object answer = new Object();
            Payload task = new Payload(answer);
            switch (i) {
                case 0 -> keys.execute(key, task);
                case 1 -> futures.add(keys.submit(key, () -> task.result));
                case 2 -> futures.add(keys.submit(key, task));
                case 3 -> keys.coalesce(key, task);
                case 4 -> {
                    keys.at(key).coalesceSlot("slot", task);
                    keys.at(key).coalesceSlot("slot", task);
                }
                case 5 -> futures.add(keys.submitAsync(key, () -> CompletableFuture.completedFuture(task.result)));
                case 6 -> futures.add((CompletableFuture<?>) keys.at(key).schedule(task, 1, TimeUnit.MILLISECONDS));
                default -> {
                    keys.at(key).pause();
                    keys.execute(key, task);
                    keys.at(key).cancelPending();
                    keys.at(key).resume();
                }
            }
            keys.at(key).quiesce().join();
            references.add(new WeakReference<>(key));
            references.add(new WeakReference<>(answer));
            references.add(new WeakReference<>(task));
        }
        futures.forEach(TestSupport::result);
        return references;
    }

    private static final class Payload implements Runnable {
        private final Object result;

        Payload(Object result) {
            this.result = result;
        }

        @Override
        public void run() {}
    }

    @Test
    void k7_handleOfAForgottenKey_goesOn() {
        Spindle spindle = forgetful();
        Lane lane = spindle.keyed("tasks").at("key");
        for (int i = 0; i < 5; i++) {
            assertThat(result(lane.submit(() -> "ran"))).isEqualTo("ran");
            CompletableFuture<Boolean> coalesced = lane.coalesce(() -> {});
            assertThat(result(coalesced)).isTrue();
            until(() -> spindle.stats().keys() == 0);
            assertThat(lane.activity().pending()).isZero();
            assertThat(lane.cancelPending()).isEmpty();
            result(lane.quiesce());
        }
    }

    @Test
    void k7_manyKeysInTurn_leaveTheHeapFlat() throws Exception {
        Spindle spindle = forgetful();
        Keyed<Long> keys = spindle.keyed("tasks");
        Semaphore places = new Semaphore(1000);
        long before = TestSupport.usedBytes();

        for (long i = 0; i < 400_000; i++) {
            places.acquire();
            keys.execute(i, places::release);
        }

        until(() -> spindle.stats().keys() == 0);
        until(() -> TestSupport.usedBytes() - before < 10_000_000); // 400,000 lanes would be more than 40 MB
    }

    @Test
    void k7_submitRacingWithTheRemoval_keepsOrderAndVisibility() throws Exception {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofNanos(2)));
        Keyed<Integer> keys = spindle.keyed("tasks");
        int[][] counts = new int[4][16]; // plain: each column is accessed by the turns of one lane
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            int row = p;
            Thread producer = new Thread(() -> {
                for (int i = 0; i < 5000; i++) {
                    int key = i & 3;
                    int number = i >> 2;
                    keys.execute(key, () -> {
                        if (counts[key][row]++ != number) {
                            wrong.incrementAndGet();
                        }
                        counts[key][15]++;
                    });
                    if ((i & 7) == 0) {
                        Thread.yield();
                    }
                }
            });
            producer.start();
            producers.add(producer);
        }
        for (Thread producer : producers) {
            producer.join();
        }
        for (int key = 0; key < 4; key++) {
            result(keys.at(key).quiesce());
        }

        until(() -> spindle.stats().keys() == 0);
        assertThat(wrong).hasValue(0);
        assertThat(result(spindle.submit(() -> counts[0][15] + counts[1][15] + counts[2][15] + counts[3][15])))
                .isEqualTo(15_000);
    }

    @Test
    void k7_coalescingSubmitRacingWithTheRemoval_losesNothing() {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofNanos(2)));
        Keyed<String> keys = spindle.keyed("tasks");
        AtomicInteger last = new AtomicInteger(-1);
        for (int i = 0; i < 3000; i++) {
            int number = i;
            keys.coalesce("key", () -> last.set(number));
            if (i % 3 == 0) {
                until(() -> last.get() == number);
            }
        }
        until(() -> last.get() == 2999);
        until(() -> spindle.stats().keys() == 0);
    }

    @Test
    void k7_controlRacingWithTheRemoval_works() {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofNanos(2)));
        Keyed<String> keys = spindle.keyed("tasks");
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 1000; i++) {
            keys.at("key").pause();
            keys.execute("key", ran::incrementAndGet);
            assertThat(keys.at("key").cancelPending()).hasSize(1);
            keys.execute("key", ran::incrementAndGet);
            keys.at("key").resume();
            result(keys.at("key").quiesce());
            assertThat(ran).hasValue(i + 1);
        }
    }
}
