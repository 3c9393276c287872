// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import dev.spindle.Lane;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Submits tasks of all kinds, as its random numbers say, in bursts with pauses between them, until the spindle is shut
 * down. One is of one thread; a task that submits others has one of its own.
 */
final class Producer implements Runnable {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final int MOST_OPEN = 3_000;
    private static final int MOST_TASKS = 400_000;
    private static final long BEHIND_NANOS = 200_000;

    private final Work work;
    private final Target target;
    private final Ledger ledger;
    private final SplittableRandom random;
    private final int depth;
    private final int number = NUMBERS.incrementAndGet();
    private final Map<String, Order> orders = new HashMap<>();

    Producer(Work work, SplittableRandom random, int depth) {
        this.work = work;
        this.target = work.target();
        this.ledger = target.ledger();
        this.random = random;
        this.depth = depth;
    }

    @Override
    public void run() {
        while (!target.spindle().isShutdown()) {
            if (ledger.estimatedOpen() >= MOST_OPEN || ledger.size() >= MOST_TASKS) {
                LockSupport.parkNanos(BEHIND_NANOS);
                continue;
            }
            burst(1 + random.nextInt(random.nextInt(10) == 0 ? 500 : 10));
            int pause = random.nextInt(4);
            if (pause == 0) {
                LockSupport.parkNanos(random.nextInt(2_000_000));
            } else {
                Work.spin(random.nextInt(20_000) * (long) pause);
            }
        }
        burst(20); // rejected, all of them
    }

    /** Submits so many tasks, whether they are accepted or not. */
    void burst(int tasks) {
        for (int task = 0; task < tasks; task++) {
            int dice = random.nextInt(1_000);
            if (dice < 300) {
                hand("plain", Entry.Place.ANYWHERE, target.spindle()::execute);
            } else if (dice < 350) {
                Future<?> unused = submitted();
            } else if (dice < 600) {
                keyed();
            } else if (dice < 650) {
                keyedFuture();
            } else if (dice < 750) {
                coalescing();
            } else if (dice < 800) {
                async();
            } else if (dice < 850) {
                delayed();
            } else if (dice < 998) {
                logical();
            } else {
                ledger.returned(target.lane(lane()).cancelPending());
            }
        }
    }

    /** Submits a plain task for its future, which is null when it was rejected. */
    @Nullable
    Future<?> submitted() {
        Entry entry = entry("plain with a future", Entry.Place.ANYWHERE);
        boolean asCallable = random.nextBoolean();
        return handFor(
                entry,
                () -> asCallable
                        ? target.spindle().submit(() -> called(entry))
                        : target.spindle().submit(entry));
    }

    private void keyed() {
        int lane = lane();
        boolean byKey = target.isKey(lane) && random.nextBoolean();
        hand("keyed", ordered(lane), byKey ? entry -> target.keyed().execute(lane, entry) : target.lane(lane)::execute);
    }

    private void keyedFuture() {
        int lane = lane();
        Entry entry = entry("keyed with a future", ordered(lane));
        boolean asCallable = random.nextBoolean();
        Lane to = target.lane(lane);
        Future<?> unused = handFor(entry, () -> asCallable ? to.submit(() -> called(entry)) : to.submit(entry));
    }

    private void coalescing() {
        int lane = lane();
        Entry entry = entry("coalescing", new Entry.Place(target.laneLimit(lane), order("the latest of lane " + lane)));
        try {
            entry.accepted(target.lane(lane).coalesce(entry));
            if (random.nextInt(100) == 0) {
                entry.cancel(false);
            }
        } catch (RejectedExecutionException e) {
            entry.rejected();
        }
    }

    /** An async task is not cancelled: that would complete its stage, and so its turn, before its end is noted. */
    private void async() {
        int lane = lane();
        Entry entry = entry("async", ordered(lane));
        long micros = random.nextInt(4) == 0 ? 0 : random.nextInt(1_000);
        try {
            entry.accepted(target.lane(lane).submitAsync(() -> stage(entry, micros)));
        } catch (RejectedExecutionException e) {
            entry.rejected();
        }
    }

    private CompletableFuture<Integer> stage(Entry entry, long micros) {
        entry.begin();
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        Runnable end = () -> {
            entry.end();
            if (entry.isThrowing()) {
                stage.completeExceptionally(new IllegalStateException("on purpose"));
            } else {
                stage.complete(1);
            }
        };
        if (micros == 0) {
            end.run();
        } else {
            Future<?> unused = target.stages().schedule(end, micros, TimeUnit.MICROSECONDS);
        }
        return stage;
    }

    private void delayed() {
        int micros = random.nextInt(3) == 0 ? 0 : random.nextInt(20_000);
        if (random.nextBoolean()) {
            Entry entry = entry("delayed", Entry.Place.ANYWHERE);
            Future<?> unused = handFor(entry, () -> target.spindle().schedule(entry, micros, TimeUnit.MICROSECONDS));
        } else {
            int lane = lane();
            Entry entry = entry("delayed, keyed", new Entry.Place(target.laneLimit(lane), null));
            Future<?> unused =
                    handFor(entry, () -> target.lane(lane).schedule(entry, Duration.ofNanos(micros * 1_000L)));
        }
    }

    private void logical() {
        Target.View view = target.views().get(random.nextInt(2));
        Entry.Place place = view.ordered()
                ? new Entry.Place(
                        view.place().limit(),
                        order("executor " + view.executor().name()))
                : view.place();
        if (random.nextInt(4) == 0) {
            Entry entry = entry("logical with a future", place);
            Future<?> unused = handFor(entry, () -> view.executor().submit(entry));
        } else if (random.nextInt(20) == 0) {
            Entry entry = entry("logical, delayed", view.place());
            int micros = random.nextInt(5_000);
            Future<?> unused = handFor(entry, () -> view.executor().schedule(entry, micros, TimeUnit.MICROSECONDS));
        } else {
            hand("logical", place, view.executor()::execute);
        }
    }

    // ---------------------------------------------------------------- how

    private interface Door {
        void hand(Entry entry);
    }

    private interface FutureDoor {
        Future<?> hand();
    }

    private void hand(String kind, Entry.Place place, Door door) {
        Entry entry = entry(kind, place);
        try {
            door.hand(entry);
            entry.accepted();
        } catch (RejectedExecutionException e) {
            entry.rejected();
        }
    }

    private @Nullable Future<?> handFor(Entry entry, FutureDoor door) {
        try {
            Future<?> future = door.hand();
            entry.accepted(future);
            if (random.nextInt(100) == 0) {
                entry.cancel(random.nextBoolean());
            }
            return future;
        } catch (RejectedExecutionException e) {
            entry.rejected();
            return null;
        }
    }

    private static Integer called(Entry entry) {
        entry.run();
        return 1;
    }

    private Entry entry(String kind, Entry.Place place) {
        return new Entry(ledger, kind, place, work.next(random, depth));
    }

    /** Half of the work goes to one lane. */
    private int lane() {
        return random.nextBoolean() ? 0 : random.nextInt(target.lanes());
    }

    private Entry.Place ordered(int lane) {
        return new Entry.Place(target.laneLimit(lane), order("lane " + lane));
    }

    private Order order(String of) {
        return orders.computeIfAbsent(of, name -> new Order(name + ", producer " + number));
    }
}
