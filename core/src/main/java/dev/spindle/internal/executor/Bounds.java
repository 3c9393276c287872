// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.lane.BoundedTask;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.CountedPermits;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a spindle. An accepted task holds a permit of each bound until it starts or is withdrawn.
 * {@link Admission} handles a submit that finds no free permit.
 */
public final class Bounds {
    private final Pool pool;
    private final int capacity;
    private final Admission.Policy onFull;
    private final int laneCapacity;
    private final Admission.Policy onLaneFull;
    private final Admission.DropListener dropped;
    private final @Nullable CountedPermits all;

    /** Creates the bounds of a spindle and of each of its lanes; a capacity of 0 means no bound. */
    public Bounds(
            Pool pool,
            int capacity,
            Admission.Policy onFull,
            int laneCapacity,
            Admission.Policy onLaneFull,
            Admission.DropListener dropped) {
        this(pool, capacity, onFull, laneCapacity, onLaneFull, dropped, CountedPermits.of(capacity));
    }

    private Bounds(
            Pool pool,
            int capacity,
            Admission.Policy onFull,
            int laneCapacity,
            Admission.Policy onLaneFull,
            Admission.DropListener dropped,
            @Nullable CountedPermits all) {
        this.pool = pool;
        this.capacity = capacity;
        this.onFull = onFull;
        this.laneCapacity = laneCapacity;
        this.onLaneFull = onLaneFull;
        this.dropped = dropped;
        this.all = all;
    }

    /** Returns the maximum number of pending tasks, or {@link Integer#MAX_VALUE} if the spindle has no bound. */
    int capacity() {
        return capacity == 0 ? Integer.MAX_VALUE : capacity;
    }

    /** Returns the maximum number of pending tasks of each lane, or {@link Integer#MAX_VALUE} if there is no bound. */
    int laneCapacity() {
        return laneCapacity == 0 ? Integer.MAX_VALUE : laneCapacity;
    }

    /** Returns the bounds of each key of a space: a capacity with {@code policy}, and the bound of the spindle. */
    Bounds forKeys(int keyCapacity, Admission.Policy policy) {
        return new Bounds(pool, capacity, onFull, keyCapacity, policy, dropped, all);
    }

    /**
     * Gives {@code lane} as many permits as a lane has by these bounds, if these bounds limit each lane and the lane
     * has permits of its own.
     */
    void resize(LaneCore lane) {
        if (laneCapacity != 0 && lane.places() != null) {
            CountedPermits unused = lane.places(laneCapacity);
        }
    }

    /** Returns the bounds of a strand: its own capacity and that of the spindle, both with {@code policy}. */
    public Bounds forStrand(int strandCapacity, Admission.Policy policy) {
        return new Bounds(pool, capacity, policy, strandCapacity, policy, dropped, all);
    }

    /** Takes the permits of a task and pushes the task. Returns false, without permits, if the lane is dead. */
    boolean push(LaneCore lane, Runnable task, Admission.Executor executor) {
        CountedPermits own = laneCapacity == 0 ? null : lane.places(laneCapacity);
        // allocated before a permit is taken, which a failed allocation would lose
        BoundedTask admitted = new BoundedTask(task, own, all);
        Admission slow = null;
        if (!tryTake(own)) {
            slow = new Admission(pool, executor, lane);
            Admission.Bound ofAll = all == null ? null : ofSpindle(all, lane::dropOldest);
            Admission.Bound first =
                    own == null ? ofAll : bound(own, "lane", laneCapacity, onLaneFull, lane::dropOldest);
            boolean unused = slow.admit(requireNonNull(first), own == null ? null : ofAll);
        }
        boolean pushed = false;
        try {
            if (executor.isShut(lane)) { // a shutdown frees permits, but accepts no task
                throw executor.rejected(lane, null);
            }
            pushed = lane.push(admitted);
        } finally {
            if (!pushed) {
                admitted.withdraw(); // the executor is shut down, or the push returned false or threw
            }
            if (slow != null) {
                slow.tellDropped(dropped);
            }
        }
        if (pushed && executor.isShut(lane) && admitted.withdraw() != null) {
            lane.nudge(); // the withdrawal may have made a barrier the first entry of a paused lane
            throw executor.rejected(lane, null);
        }
        return pushed;
    }

    private boolean tryTake(@Nullable CountedPermits own) {
        if (own != null && !own.tryTake()) {
            return false;
        }
        if (all == null || all.tryTake()) {
            return true;
        }
        if (own != null) {
            own.giveBack();
        }
        return false;
    }

    private Admission.Bound ofSpindle(CountedPermits places, Supplier<@Nullable Runnable> oldest) {
        return bound(places, "spindle", capacity, onFull, oldest);
    }

    private Admission.Bound bound(
            CountedPermits places,
            String whose,
            int most,
            Admission.Policy policy,
            Supplier<@Nullable Runnable> oldest) {
        String full = "the capacity of the " + whose + ", " + most + " waiting tasks, is used up";
        return new Admission.Bound(places, policy, full, oldest, false);
    }

    /** Takes a permit of the spindle for a plain task, makes the entry of the task ready, and returns that entry. */
    Runnable ready(Runnable task, Admission.Executor executor) {
        // allocated before a permit is taken, which a failed allocation would lose
        Runnable entry = entry(task);
        Admission slow = null;
        if (!tryTake()) {
            slow = new Admission(pool, executor, null);
            Supplier<@Nullable Object> oldest = pool::removeOldestDroppable;
            boolean unused = slow.admit(requireNonNull(ofSpindle(oldest)), null);
        }
        try {
            if (executor.isShut(null)) { // see push
                throw executor.rejected(null, null);
            }
            pool.ready(entry);
        } catch (Throwable t) {
            CancellableEntry.withdraw(entry);
            throw t;
        } finally {
            if (slow != null) {
                slow.tellDropped(dropped);
            }
        }
        return entry;
    }

    /**
     * Returns the entry of a plain task that holds a permit of the spindle, or the task itself if the spindle has no
     * bound.
     */
    public Runnable entry(Runnable task) {
        return all == null ? task : new Plain(task, all);
    }

    /** Takes a permit of the spindle for a plain task. Returns false if no permit is free or other submitters wait. */
    public boolean tryTake() {
        return all == null || all.tryTake();
    }

    /**
     * Returns the bound of the spindle, or null if the spindle has no bound; {@code oldest} removes and returns the
     * oldest entry that holds a permit.
     */
    public Admission.@Nullable Bound ofSpindle(Supplier<@Nullable Object> oldest) {
        return all == null ? null : ofSpindle(all, () -> withoutPlace(oldest.get()));
    }

    /** Returns the task of {@code entry}. The caller takes over the permit of the entry, if any. */
    public static @Nullable Runnable withoutPlace(@Nullable Object entry) {
        return entry instanceof CancellableEntry.Droppable placed ? placed.inner() : (Runnable) entry;
    }

    /** Adds the submitters that wait for a permit of the spindle to {@code list}. */
    void listWaits(Object to, WaitList list) {
        if (all != null) {
            all.listWaits(to, list);
        }
    }

    /** Refuses the submitters that wait for a permit of the spindle and whose executor has been shut down. */
    public void refuse() {
        if (all != null) {
            all.refuse();
        }
    }

    /** A plain task that holds a permit. */
    private static final class Plain extends CancellableEntry.Droppable {
        private final Runnable task;
        private final CountedPermits places;

        Plain(Runnable task, CountedPermits places) {
            this.task = task;
            this.places = places;
        }

        @Override
        public Runnable start() {
            places.giveBack(); // F4
            return task;
        }

        @Override
        public void run() {
            start().run();
        }

        @Override
        public Runnable inner() {
            return task;
        }

        @Override
        public void withdrawn() {
            CancellableEntry.withdraw(start());
        }
    }
}
