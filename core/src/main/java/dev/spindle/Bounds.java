// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Accepted;
import dev.spindle.internal.BoundedTask;
import dev.spindle.internal.LaneCore;
import dev.spindle.internal.Pool;
import dev.spindle.internal.Runner;
import dev.spindle.internal.Withdrawable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The bounds of an executor: a place is taken by an accepted task and given back when the task starts or is withdrawn. */
final class Bounds {
    private final String name;
    private final Pool pool;
    private final int capacity;
    private final int capacityPerKey;
    private final OnFull onFull;
    private final @Nullable Semaphore all;
    private final DropListener dropped;

    /** Told of a task that was dropped to make room. */
    interface DropListener {
        void dropped(@Nullable Object key, Runnable task, String bound);
    }

    Bounds(String name, Pool pool, int capacity, int capacityPerKey, OnFull onFull, DropListener dropped) {
        this(name, pool, capacity, capacityPerKey, onFull, dropped, capacity == 0 ? null : new Semaphore(capacity));
    }

    private Bounds(
            String name,
            Pool pool,
            int capacity,
            int capacityPerKey,
            OnFull onFull,
            DropListener dropped,
            @Nullable Semaphore all) {
        this.name = name;
        this.pool = pool;
        this.capacity = capacity;
        this.capacityPerKey = capacityPerKey;
        this.onFull = onFull;
        this.dropped = dropped;
        this.all = all;
    }

    /** Returns the bounds of a strand with a capacity and a policy of its own: it takes places of the executor all the same. */
    Bounds forStrand(int strandCapacity, OnFull policy) {
        return new Bounds(name, pool, capacity, strandCapacity, policy, dropped, all);
    }

    /** Returns what stands in the lane for a task that has got its places. */
    BoundedTask admit(LaneCore lane, Runnable task) {
        Semaphore own = lane.places();
        BoundedTask admitted = new BoundedTask(task, own, all); // before it gets them: there may be no memory for it
        Supplier<@Nullable Runnable> oldest = lane::dropOldest;
        long left = onFull.nanos;
        if (own != null) {
            left = acquire(own, lane.key(), "of the lane", capacityPerKey, oldest, left);
        }
        if (all != null) {
            boolean acquired = false;
            try {
                acquire(all, lane.key(), "of the executor", capacity, oldest, left);
                acquired = true;
            } finally {
                if (!acquired && own != null) {
                    own.release();
                }
            }
        }
        return admitted;
    }

    /** Returns an entry for a plain task that has got its place. */
    Runnable admit(Runnable task) {
        return admit(task, () -> pool.removeFirst(Bounds::isPlaced));
    }

    /** As {@link #admit(Runnable)}; {@code oldest} removes the oldest entry that this has returned, to make room. */
    Runnable admit(Runnable task, Supplier<@Nullable Object> oldest) {
        if (all == null) {
            return task;
        }
        Plain admitted = new Plain(task, all); // as above
        Supplier<@Nullable Runnable> left = () -> {
            Plain removed = (Plain) oldest.get();
            return removed == null ? null : removed.leave();
        };
        acquire(all, null, "of the executor", capacity, left, onFull.nanos);
        return admitted;
    }

    /** Returns whether {@code entry} is a plain task that holds a place. */
    static boolean isPlaced(Object entry) {
        return entry instanceof Plain;
    }

    /** Gives back the place of a plain task that has been taken away, if it holds one, and returns the task. */
    static Runnable unplaced(Runnable entry) {
        return entry instanceof Plain plain ? plain.leave() : entry;
    }

    /** Takes one of {@code places}, by the policy; returns what is left of {@code nanos}, for which a submitter may block. */
    private long acquire(
            Semaphore places,
            @Nullable Object key,
            String whose,
            int bound,
            Supplier<@Nullable Runnable> oldest,
            long nanos) {
        if (places.tryAcquire()) {
            return nanos;
        }
        String full = "the capacity " + whose + ", " + bound + " waiting tasks, is used up";
        switch (onFull.kind) {
            case REJECT -> throw rejected(key, full + "; make it larger, or choose another OnFull than reject()");
            case BLOCK -> {
                Runner runner = Runner.current();
                if (runner != null && runner.scheduler() == pool) {
                    throw rejected(key, full + ", and a worker of this executor must not wait for it");
                }
                long begin = pool.nanoTime();
                try {
                    long left = pool.await(() -> places.availablePermits() > 0, nanos);
                    if (!places.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                        throw rejected(key, full + " and nothing left it within " + onFull);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw rejected(key, full + ", and the submitter was interrupted while it waited");
                }
                return nanos - (pool.nanoTime() - begin);
            }
            case CALLER_RUNS -> throw new AssertionError("the builder refuses " + onFull);
            case DROP_OLDEST -> {
                while (!places.tryAcquire()) {
                    Runnable task = oldest.get();
                    if (task == null) {
                        if (places.tryAcquire()) {
                            break;
                        }
                        throw rejected(key, full + " by others, and nothing can be dropped");
                    }
                    dropped.dropped(key, task, full);
                }
            }
        }
        return nanos;
    }

    private RejectedExecutionException rejected(@Nullable Object key, String why) {
        return new RejectedExecutionException("spindle " + name + " (running) rejected a "
                + (key == null ? "plain task" : "task of " + key) + ": " + why);
    }

    /** A plain task that holds a place. */
    private static final class Plain extends Withdrawable {
        private final Runnable task;
        private final Semaphore places;

        Plain(Runnable task, Semaphore places) {
            this.task = task;
            this.places = places;
        }

        Runnable leave() {
            places.release();
            return task;
        }

        @Override
        public void run() {
            leave().run();
        }

        @Override
        public Runnable userTask() {
            return Accepted.unwrap(task);
        }

        @Override
        public Object origin() {
            return Accepted.origin(task);
        }

        @Override
        public void withdrawn() {
            Accepted.withdraw(leave());
        }
    }
}
