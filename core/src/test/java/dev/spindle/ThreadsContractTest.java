// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** T1 and T4: the number of threads and their lifetimes. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class ThreadsContractTest {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Spindle> spindles = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();

    private Spindle build(SpindleBuilder builder) {
        Spindle spindle = builder.threadFactory(r -> {
                    Thread thread = new Thread(r);
                    threads.add(thread);
                    return thread;
                })
                .build();
        spindles.add(spindle);
        return spindle;
    }

    private Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    @AfterEach
    void close() {
        gates.forEach(Gate::open);
        spindles.forEach(Spindle::close);
    }

    private long alive() {
        return threads.stream().filter(Thread::isAlive).count();
    }

    @Test
    void t1_noWork_noThreads() {
        Spindle spindle = build(Spindles.options().coreThreads(4));
        assertThat(threads).isEmpty();
        assertThat(spindle.stats().threads()).isZero();
    }

    @Test
    void t1_allKindsOfBlocking_neverMoreThreadsThanMax() {
        int max = 5;
        Spindle spindle =
                build(Spindles.options().coreThreads(2).maxThreads(max).growCoreAfter(1));
        Keyed<Integer> keys = spindle.keyed("keys");
        CompletableFuture<Void> never = new CompletableFuture<>();
        CountDownLatch ran = new CountDownLatch(200);
        for (int i = 0; i < 10; i++) {
            int key = i;
            Gate plain = gate();
            Gate hooked = gate();
            spindle.execute(plain);
            spindle.execute(() -> Spindle.callBlocking(() -> {
                hooked.run();
                return null;
            }));
            keys.execute(
                    key,
                    () -> Spindle.callBlocking(() -> {
                        return null;
                    }));
            CompletableFuture<Integer> other = keys.submit(100 + key, () -> key);
            keys.execute(key, other::join);
            keys.at(200 + key).submitAsync(() -> never, Duration.ofMillis(20));
            spindle.schedule(() -> {}, key, TimeUnit.MILLISECONDS);
            for (int n = 0; n < 20; n++) {
                spindle.execute(ran::countDown);
            }
        }
        until(() -> gates.stream().filter(Gate::isEntered).count() >= max - 1);
        long until = System.nanoTime() + 150_000_000; // ten periods in each of which a thread would be added
        while (System.nanoTime() - until < 0) {
            assertThat(alive()).isLessThanOrEqualTo(max);
            assertThat(spindle.stats().threads()).isLessThanOrEqualTo(max);
            LockSupport.parkNanos(5_000_000);
        }
        gates.forEach(Gate::open);
        await(ran);
        assertThat(spindle.stats().peakThreads()).isEqualTo(max);
        assertThat(spindle.stats().coreThreads()).isLessThanOrEqualTo(max);
    }

    @Test
    void t1_allWorkersBlockInTheHook_furtherTasksStartNoThread() {
        Spindle spindle = build(Spindles.options().coreThreads(2).maxThreads(2));
        for (int i = 0; i < 2; i++) {
            Gate hooked = gate();
            spindle.execute(() -> Spindle.callBlocking(() -> {
                hooked.run();
                return null;
            }));
            hooked.awaitEntered();
        }
        for (int i = 0; i < 10; i++) {
            spindle.execute(() -> {});
        }
        assertThat(threads).hasSize(2);
    }

    @Test
    void t1_timerWatchedByTheLastThread_stillNotMoreThanMax() {
        Spindle spindle = build(Spindles.options().coreThreads(1).maxThreads(1));
        CountDownLatch due = new CountDownLatch(20);
        spindle.scheduleAtFixedRate(due::countDown, 1, 1, TimeUnit.MILLISECONDS);
        for (int i = 0; i < 1_000; i++) {
            result(spindle.submit(() -> {}));
        }
        await(due);
        assertThat(threads).hasSize(1);
    }

    @Test
    void t1_coreThreads_areReusedAndStayAlive() {
        Spindle spindle = build(Spindles.options().coreThreads(3).maxThreads(3).keepAlive(Duration.ofMillis(1)));
        for (int round = 0; round < 20; round++) {
            List<Gate> now = List.of(gate(), gate(), gate());
            now.forEach(spindle::execute);
            now.forEach(Gate::awaitEntered);
            now.forEach(Gate::open);
            until(() -> spindle.stats().idleThreads() == 3);
            LockSupport.parkNanos(3_000_000); // longer than the keep-alive
        }
        assertThat(threads).hasSize(3).allMatch(Thread::isAlive);
    }

    @Test
    void t1_auxiliaryThreads_endAfterTheKeepAliveAndCoreStays() {
        Spindle spindle = build(Spindles.options()
                .coreThreads(3)
                .maxThreads(24)
                .growCoreAfter(0)
                .keepAlive(Duration.ofMillis(20)));
        for (int round = 0; round < 4; round++) {
            List<Gate> blocked = blockAll(spindle, 20);
            assertThat(spindle.stats().threads()).isGreaterThanOrEqualTo(20);
            blocked.forEach(Gate::open); // all at once, so that they end at once
            until(() -> spindle.stats().threads() <= 3);
            long end = System.nanoTime() + 60_000_000;
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(10_000_000);
                assertThat(spindle.stats().threads()).isEqualTo(3);
            }
            until(() -> alive() == 3);
        }
        assertThat(result(spindle.submit(() -> 1))).isEqualTo(1);
    }

    @Test
    void t1_keepAlive_countsFromTheLastWorkAndNotFromTheFirst() {
        AtomicLong jump = new AtomicLong();
        Spindle spindle = build(Spindles.options()
                .coreThreads(1)
                .maxThreads(2)
                .growCoreAfter(0)
                .keepAlive(Duration.ofMinutes(10))
                .clock(() -> System.nanoTime() + jump.get()));
        Gate hooked = gate();
        Gate plain = gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            hooked.run();
            return null;
        }));
        hooked.awaitEntered();
        spindle.execute(plain);
        plain.awaitEntered(); // on an auxiliary thread
        jump.addAndGet(TimeUnit.HOURS.toNanos(1)); // both have worked for an hour
        hooked.open(); // the first is now surplus, and has just worked
        until(() -> spindle.stats().completed() == 1);
        long end = System.nanoTime() + 100_000_000;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(10_000_000);
            assertThat(spindle.stats().threads()).isEqualTo(2);
        }
        plain.open();
    }

    @Test
    void t1_expiringThreadsUnderTraffic_loseNoWork() {
        Spindle spindle = build(
                Spindles.options().coreThreads(1).maxThreads(6).growCoreAfter(0).keepAlive(Duration.ofNanos(1)));
        AtomicInteger ran = new AtomicInteger();
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 4; i++) {
                spindle.execute(() -> Spindle.callBlocking(() -> {
                    LockSupport.parkNanos(10_000);
                    ran.incrementAndGet();
                    return null;
                }));
                spindle.keyed("keys").execute(i, ran::incrementAndGet);
            }
            if (round % 3 == 0) {
                int wanted = 8 * (round + 1);
                until(() -> ran.get() == wanted);
            }
        }
        until(() -> ran.get() == 2_400);
        until(() -> spindle.stats().threads() == 1);
    }

    @Test
    void t4_coreGrowsByOneAfterEveryNGrowthEpisodes() {
        Spindle spindle = build(
                Spindle.builder().coreThreads(1).maxThreads(8).growCoreAfter(3).keepAlive(Duration.ofNanos(1)));
        for (int episode = 1; episode <= 3; episode++) {
            assertThat(spindle.stats().coreThreads()).isEqualTo(1);
            episode(spindle, 2, episode);
        }
        assertThat(spindle.stats().coreThreads()).isEqualTo(2);
        for (int episode = 4; episode <= 6; episode++) {
            assertThat(spindle.stats().coreThreads()).isEqualTo(2);
            episode(spindle, 3, episode);
        }
        assertThat(spindle.stats().coreThreads()).isEqualTo(3);
        until(() -> alive() == 3); // a thread that has become core stays
    }

    @Test
    void t4_zero_neverGrowsTheCore() {
        Spindle spindle = build(
                Spindles.options().coreThreads(1).maxThreads(4).growCoreAfter(0).keepAlive(Duration.ofNanos(1)));
        for (int episode = 1; episode <= 12; episode++) {
            episode(spindle, 2, episode);
        }
        assertThat(spindle.stats().coreThreads()).isEqualTo(1);
    }

    @Test
    void t4_core_neverGrowsPastMax() {
        Spindle spindle = build(
                Spindles.options().coreThreads(1).maxThreads(2).growCoreAfter(1).keepAlive(Duration.ofNanos(1)));
        for (int round = 0; round < 5; round++) {
            List<Gate> blocked = List.of(gate(), gate(), gate(), gate());
            blocked.forEach(spindle::execute);
            blocked.subList(0, 2).forEach(Gate::awaitEntered);
            blocked.forEach(Gate::open);
            blocked.forEach(Gate::awaitEntered);
        }
        assertThat(spindle.stats().coreThreads()).isEqualTo(2);
        assertThat(spindle.stats().peakThreads()).isEqualTo(2);
    }

    /**
     * Performs one growth episode: blocks {@code workers} workers, one more than the core, without the hook, and
     * releases them.
     */
    private void episode(Spindle spindle, int workers, int number) {
        List<Gate> blocked = blockAll(spindle, workers);
        assertThat(spindle.stats().growthEpisodes()).isEqualTo(number);
        blocked.forEach(Gate::open);
        int core = workers - 1;
        until(() -> spindle.stats().threads() <= Math.max(core, spindle.stats().coreThreads()));
    }

    private List<Gate> blockAll(Spindle spindle, int workers) {
        List<Gate> blocked = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            Gate gate = gate();
            blocked.add(gate);
            spindle.execute(gate);
        }
        blocked.forEach(Gate::awaitEntered);
        return blocked;
    }
}
