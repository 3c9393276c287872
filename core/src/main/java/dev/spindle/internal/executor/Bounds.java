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
    private final Total total;
    private final Admission.@Nullable Policy onFull; // null for the policy of `total`
    private final int laneCapacity;
    private final Admission.Policy onLaneFull;
    private final Admission.DropListener dropped;

    /** The bound of a spindle as a whole, which may come and change at any time. */
    static final class Total {
        private volatile @Nullable CountedPermits permits; // null until the spindle has a bound
        private volatile int capacity = Integer.MAX_VALUE;
        private volatile Admission.Policy onFull = new Admission.Policy(Admission.Kind.REJECT, 0);

        /** Changes the maximum number of waiting tasks, and the policy of a submit that finds as many. */
        void set(int tasks, Admission.Policy policy) {
            onFull = policy;
            capacity = tasks;
            CountedPermits known = permits;
            if (known == null) {
                synchronized (this) {
                    known = permits == null ? new CountedPermits(tasks) : permits;
                    permits = known;
                }
            }
            known.setMost(tasks);
        }
    }

    /** Creates the bounds of a spindle alone. */
    Bounds(Pool pool, Total total, Admission.DropListener dropped) {
        this(pool, total, null, 0, total.onFull, dropped);
    }

    /**
     * Creates the bounds of a strand, or of each key of a space.
     *
     * @param onFull the policy at the bound of the spindle, or null for that of {@code total}
     */
    Bounds(
            Pool pool,
            Total total,
            Admission.@Nullable Policy onFull,
            int laneCapacity,
            Admission.Policy onLaneFull,
            Admission.DropListener dropped) {
        this.pool = pool;
        this.total = total;
        this.onFull = onFull;
        this.laneCapacity = laneCapacity;
        this.onLaneFull = onLaneFull;
        this.dropped = dropped;
    }

    /** Returns the maximum number of pending tasks, or {@link Integer#MAX_VALUE} if the spindle has no bound. */
    int capacity() {
        return total.capacity;
    }

    /** Returns the maximum number of pending tasks of each lane, or {@link Integer#MAX_VALUE} if there is no bound. */
    int laneCapacity() {
        return laneCapacity == 0 ? Integer.MAX_VALUE : laneCapacity;
    }

    /** Gives {@code lane} as many permits as a lane has by these bounds, if these bounds limit each lane. */
    void fit(LaneCore lane) {
        if (laneCapacity != 0) {
            CountedPermits unused = lane.places(laneCapacity);
        }
    }

    /** Does what {@link #fit} does if {@code lane} has had a bound. */
    void refit(LaneCore lane) {
        if (lane.places() != null) {
            fit(lane);
        }
    }

    /**
     * Takes the permits of a task and pushes the task. Returns false, without permits, if the lane is dead. Called
     * after {@link #fit}.
     */
    boolean push(LaneCore lane, Runnable task, Admission.Executor executor) {
        CountedPermits own = laneCapacity == 0 ? null : lane.places();
        CountedPermits all = total.permits;
        // allocated before a permit is taken, which a failed allocation would lose
        BoundedTask admitted = new BoundedTask(task, own, all);
        Admission slow = null;
        if (!tryTake(own, all)) {
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

    private static boolean tryTake(@Nullable CountedPermits own, @Nullable CountedPermits all) {
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
        return bound(places, "spindle", total.capacity, onFull == null ? total.onFull : onFull, oldest);
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
        CountedPermits all = total.permits;
        return all == null ? task : new Plain(task, all);
    }

    /** Takes a permit of the spindle for a plain task. Returns false if no permit is free or other submitters wait. */
    public boolean tryTake() {
        CountedPermits all = total.permits;
        return all == null || all.tryTake();
    }

    /**
     * Returns the bound of the spindle, or null if the spindle has no bound; {@code oldest} removes and returns the
     * oldest entry that holds a permit.
     */
    public Admission.@Nullable Bound ofSpindle(Supplier<@Nullable Object> oldest) {
        CountedPermits all = total.permits;
        return all == null ? null : ofSpindle(all, () -> withoutPlace(oldest.get()));
    }

    /** Returns the task of {@code entry}. The caller takes over the permit of the entry, if any. */
    public static @Nullable Runnable withoutPlace(@Nullable Object entry) {
        return entry instanceof CancellableEntry.Droppable placed ? placed.inner() : (Runnable) entry;
    }

    /** Adds the submitters that wait for a permit of the spindle to {@code list}. */
    void listWaits(Object to, WaitList list) {
        CountedPermits all = total.permits;
        if (all != null) {
            all.listWaits(to, list);
        }
    }

    /** Refuses the submitters that wait for a permit of the spindle and whose executor has been shut down. */
    public void refuse() {
        CountedPermits all = total.permits;
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
