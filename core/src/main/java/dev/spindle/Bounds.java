// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.DroppableEntry;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.lane.BoundedTask;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.CountedPermits;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a spindle: a place is taken by an accepted task and given back when the task starts or is withdrawn.
 */
final class Bounds {
    private final Pool pool;
    private final int capacity;
    private final int capacityPerKey;
    private final Admission admission;
    private final @Nullable CountedPermits all;
    private final DropListener dropped;

    /** Receives each task that was dropped to make room. */
    interface DropListener {
        void dropped(@Nullable Object key, Runnable task, String bound);
    }

    Bounds(Pool pool, int capacity, int capacityPerKey, OnFull onFull, DropListener dropped) {
        this(pool, capacity, capacityPerKey, onFull, dropped, CountedPermits.of(capacity));
    }

    private Bounds(
            Pool pool,
            int capacity,
            int capacityPerKey,
            OnFull onFull,
            DropListener dropped,
            @Nullable CountedPermits all) {
        VarHandleWarmup.runBounds();
        this.pool = pool;
        this.capacity = capacity;
        this.capacityPerKey = capacityPerKey;
        this.dropped = dropped;
        this.all = all;
        admission = new Admission(pool, onFull);
    }

    /** Returns the bounds of a strand with a capacity and a policy of its own; it takes places of the spindle too. */
    Bounds forStrand(int strandCapacity, OnFull policy) {
        return new Bounds(pool, capacity, strandCapacity, policy, dropped, all);
    }

    /** Returns what stands in the lane for a task that has got its places. */
    BoundedTask admit(LaneCore lane, Runnable task, Admission.Executor executor) {
        CountedPermits own = lane.places();
        BoundedTask admitted = new BoundedTask(task, own, all); // before it gets them: there may be no memory for it
        long left = admission.limit();
        if (own != null && !own.tryTake()) {
            Object key = lane.key();
            left = enter(own, executor, key, full("lane", capacityPerKey), lane::dropOldest, left);
        }
        boolean acquired = false;
        try {
            if (all != null && !all.tryTake()) {
                long unused = enter(all, executor, lane.key(), full("spindle", capacity), lane::dropOldest, left);
            }
            acquired = true;
        } finally {
            if (!acquired && own != null) {
                own.giveBack();
            }
        }
        if (executor.isShut(lane.key())) { // the shutdown may have made the places
            admitted.withdraw();
            throw executor.rejected(lane.key(), null);
        }
        return admitted;
    }

    /** Returns an entry for a plain task that has got its place. */
    Runnable admit(Runnable task, Admission.Executor executor) {
        return admit(task, executor, () -> pool.removeFirst(DroppableEntry.class::isInstance));
    }

    /** As the other; {@code oldest} removes the oldest entry that this has returned. */
    Runnable admit(Runnable task, Admission.Executor executor, Supplier<@Nullable Object> oldest) {
        if (all == null) {
            return task;
        }
        Plain admitted = new Plain(task, all); // as above
        if (!all.tryTake()) {
            Supplier<@Nullable Runnable> left = () -> {
                DroppableEntry removed = (DroppableEntry) oldest.get();
                return removed == null ? null : removed.leave();
            };
            long unused = enter(all, executor, null, full("spindle", capacity), left, admission.limit());
        }
        if (executor.isShut(null)) { // as above
            admitted.leave();
            throw executor.rejected(null, null);
        }
        return admitted;
    }

    private static String full(String whose, int bound) {
        return "the capacity of the " + whose + ", " + bound + " waiting tasks, is used up";
    }

    private long enter(
            CountedPermits places,
            Admission.Executor executor,
            @Nullable Object key,
            String full,
            Supplier<@Nullable Runnable> oldest,
            long nanos) {
        BooleanSupplier drop = () -> {
            Runnable task = oldest.get();
            if (task != null) {
                dropped.dropped(key, task, full);
            }
            return task != null;
        };
        return admission.enter(places, new Admission.Submit(executor, key, full, drop), nanos);
    }

    /** Adds those who wait for a place in the spindle. */
    void listWaits(Object to, WaitList list) {
        if (all != null) {
            all.listWaits(to, list);
        }
    }

    /** Refuses all that wait for a place in the spindle for something which has been shut down. */
    void refuse() {
        if (all != null) {
            all.refuse();
        }
    }

    /** A plain task that holds a place. */
    private static final class Plain extends DroppableEntry {
        private final Runnable task;
        private final CountedPermits places;

        Plain(Runnable task, CountedPermits places) {
            this.task = task;
            this.places = places;
        }

        @Override
        public Runnable leave() {
            places.giveBack();
            return task;
        }

        @Override
        public void run() {
            leave().run();
        }

        @Override
        public Runnable inner() {
            return task;
        }

        @Override
        public void withdrawn() {
            CancellableEntry.withdraw(leave());
        }
    }
}
