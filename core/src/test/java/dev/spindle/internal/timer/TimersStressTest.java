// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.Pool.Added;
import dev.spindle.internal.timer.Timers.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads add, remove and fire timers at once: each timer fires once or is removed, and none fires early. */
@Tag("stress")
@Timeout(30)
class TimersStressTest {
    private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final int ADDERS = 2;

    private final Timers timers = new Timers(System.nanoTime(), 3, 2);
    private final AtomicInteger early = new AtomicInteger();
    private volatile boolean ended;

    private final class Counted extends TestTimer {
        private final AtomicInteger left = new AtomicInteger(); // fires or removals still to come
        private final int again;
        private int rounds; // written by the firing thread

        Counted(int again, Timers.Group group) {
            super(group);
            this.again = again;
        }

        Added arm(long due) {
            left.incrementAndGet();
            return timers.add(this, due);
        }

        @Override
        void fired() {
            if (System.nanoTime() - due() < 0) {
                early.incrementAndGet();
            }
            left.decrementAndGet();
            if (rounds++ < again) {
                Added unused = arm(due() + 1_000);
            }
        }
    }

    @Test
    void addRemoveAndFire_atOnce_eachTimerFiredOnceOrRemoved() {
        List<CompletableFuture<List<Counted>>> adders = new ArrayList<>();
        List<CompletableFuture<?>> others = new ArrayList<>();
        var threads = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < ADDERS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                adders.add(CompletableFuture.supplyAsync(() -> addAndRemove(random), threads));
                others.add(CompletableFuture.runAsync(this::fireAll, threads));
            }
            List<Counted> all = new ArrayList<>();
            adders.forEach(a -> all.addAll(a.join()));
            ended = true;
            others.forEach(CompletableFuture::join);

            List<Timer> removed = new ArrayList<>();
            timers.removeIf(null, t -> true, removed::add);
            removed.forEach(t -> ((Counted) t).left.decrementAndGet());

            assertThat(timers.isEmpty()).isTrue();
            assertThat(early).hasValue(0);
            assertThat(all).isNotEmpty().allMatch(t -> t.left.get() == 0);
        } finally {
            ended = true;
            threads.shutdownNow();
        }
    }

    private List<Counted> addAndRemove(SplittableRandom random) {
        List<Counted> all = new ArrayList<>();
        List<Timers.Group> groups = List.of(new Timers.Group(), new Timers.Group());
        long end = System.nanoTime() + RUN_NANOS;
        while (System.nanoTime() - end < 0 && all.size() < 300_000) {
            Counted timer = new Counted(random.nextInt(4) == 0 ? 2 : 0, groups.get(random.nextInt(2)));
            all.add(timer);
            Added unused = timer.arm(System.nanoTime() + (random.nextLong() >>> random.nextInt(34, 60)));
            if (random.nextBoolean()) {
                Counted victim = all.get(random.nextInt(Math.max(0, all.size() - 64), all.size()));
                if (timers.remove(victim)) {
                    victim.left.decrementAndGet();
                }
            }
        }
        return all;
    }

    private void fireAll() {
        while (!ended) {
            TestTimer.fire(timers, System.nanoTime());
        }
    }

    @Test
    void sleepUntilNext_addersThatWakeOnlyWhenTold_noTimerIsForgotten() throws InterruptedException {
        SplittableRandom random = new SplittableRandom(5);
        AtomicInteger toFire = new AtomicInteger(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread watcher = new Thread(
                () -> {
                    while (!ended) {
                        long now = System.nanoTime();
                        TestTimer.fire(timers, now);
                        long wait = timers.untilNext(now);
                        if (wait > 0 && !ended) {
                            LockSupport.parkNanos(wait);
                        }
                    }
                },
                "watcher");
        watcher.start();
        try {
            long end = System.nanoTime() + RUN_NANOS;
            while (System.nanoTime() - end < 0) {
                Timer timer = new TestTimer() {
                    @Override
                    void fired() {
                        if (toFire.decrementAndGet() == 0) {
                            done.countDown();
                        }
                    }
                };
                toFire.incrementAndGet();
                if (timers.add(timer, System.nanoTime() + random.nextInt(200_000)) == Added.EARLIER) {
                    LockSupport.unpark(watcher);
                }
                if (random.nextInt(3) > 0 && timers.remove(timer)) {
                    toFire.decrementAndGet();
                }
            }
            if (toFire.decrementAndGet() == 0) {
                done.countDown();
            }
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(timers.isEmpty()).isTrue();
        } finally {
            ended = true;
            LockSupport.unpark(watcher);
            watcher.join();
        }
    }
}
