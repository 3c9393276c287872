// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WaitList;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The lanes of a key space by key, or those of all strands. The first use of a key makes its lane. */
public class LaneSpace {
    /*
     * LaneSpace-1  A lane is in the map from before its first push until after its death. A thread that finds a dead
     *     lane in the map replaces that lane.
     * LaneSpace-2  Submitters and retirements call key code (hashCode, equals) without a lock of this library held.
     *     Only an insert or a removal holds a bin lock of the ConcurrentHashMap during such a call.
     *
     * Tests: LaneTableTest; jcstress TurnAcrossRemoval (LaneSpace-1).
     */
    final LaneTable table;
    volatile Scheduler scheduler; // of the turns: the table's, or `limit`
    volatile @Nullable TurnLimit limit;
    final LaneMap map = new LaneMap();
    private final @Nullable String name;
    private final AtomicReference<@Nullable Class<?>> boxed = new AtomicReference<>();
    private final AtomicLong supersededBefore = new AtomicLong(); // in lanes that have died

    /** Creates a space without lanes; {@code name} is null for the space of the strands. */
    public LaneSpace(LaneTable table, @Nullable String name) {
        this.table = table;
        this.name = name;
        scheduler = table.scheduler;
    }

    /** Returns the name of the key space; null for the space of the strands. */
    public final @Nullable String name() {
        return name;
    }

    /** Returns the lane of {@code key}, which is made if needed. The lane may be retired before the caller uses it. */
    public final LaneCore lane(Object key) {
        LaneCore lane = map.get(key);
        return lane != null ? lane : make(key);
    }

    /** Returns the lane of {@code key}, or null. */
    public final @Nullable LaneCore existing(Object key) {
        return map.get(key);
    }

    /**
     * Returns the lane of the key of {@code retired}, a lane that the caller has found dead, being retired, or with
     * named slots that were dropped.
     */
    public static LaneCore laneAfter(LaneCore retired) {
        return retired.space.successor(retired);
    }

    private LaneCore successor(LaneCore retired) {
        Object key = retired.key();
        if (retired.isDead()) {
            map.remove(key, retired); // LaneSpace-1
            LaneCore next = lane(key);
            if (next == retired) {
                throw new IllegalStateException("the lane of key " + key
                        + " cannot be replaced: hashCode or equals of the key have changed since it was submitted");
            }
            return next;
        }
        Thread.yield(); // another thread is about to end a retirement, or to replace the named slots
        return lane(key);
    }

    private LaneCore make(Object key) { // LaneSpace-2
        Headroom.require();
        requireOneClass(key);
        LaneCore fresh = table.made(this, key);
        LaneCore lane;
        try {
            lane = map.put(key, fresh);
        } catch (Throwable t) {
            if (!(t instanceof Error && holds(key, fresh))) { // F5
                if (!fresh.isDead()) {
                    table.uncount(fresh);
                }
                throw t;
            }
            lane = fresh; // put() threw after it had inserted the lane
        }
        if (lane != fresh) {
            // LaneTable-5
            boolean unused = fresh.tryRetire(); // a retirement, since walks may have found this lane (LaneMap-2)
            return lane;
        }
        table.placed(fresh);
        return fresh;
    }

    private boolean holds(Object key, LaneCore lane) {
        try {
            return map.get(key) == lane;
        } catch (Throwable t) {
            return false; // the key's code threw
        }
    }

    /** Refuses a boxed number if an earlier key of this space was a boxed number of another class. */
    private void requireOneClass(Object key) {
        if (!isBoxed(key)) {
            return;
        }
        Class<?> type = key.getClass();
        Class<?> before = boxed.compareAndExchange(null, type);
        if (before != null && before != type) {
            throw new IllegalArgumentException("key " + name + "/" + key + " is a " + type.getSimpleName()
                    + ", and earlier keys of its space are of " + before.getSimpleName()
                    + ": equal numbers of two classes are different keys");
        }
    }

    private static boolean isBoxed(Object key) {
        return key instanceof Integer
                || key instanceof Long
                || key instanceof Short
                || key instanceof Byte
                || key instanceof Double
                || key instanceof Float;
    }

    void died(LaneCore lane) {
        try {
            map.remove(lane.key(), lane);
        } catch (Throwable t) {
            table.scheduler.failed(lane, () -> {}, t);
        } finally {
            long superseded = lane.estimatedSuperseded();
            if (superseded != 0) {
                supersededBefore.addAndGet(superseded);
            }
            table.uncount(lane);
        }
    }

    // ---------------------------------------------------------------- the limit of turns

    /** Returns the maximum number of lanes that run at once, or {@link Integer#MAX_VALUE} if there is no limit. */
    public final int maxConcurrency() {
        TurnLimit known = limit;
        return known == null ? Integer.MAX_VALUE : known.turns();
    }

    /**
     * Changes the maximum number of lanes that run at once, an open async task included. With 0, no further turn
     * begins. After {@link LaneTable#closeAll}, 0 has the effect of 1.
     */
    public final void setMaxConcurrency(int lanes) {
        TurnLimit known = limit;
        if (known == null) {
            if (lanes == Integer.MAX_VALUE) {
                return;
            }
            known = begin(lanes);
        }
        known.setTurns(lanes);
        if (lanes == 0 && table.isClosed()) {
            endPause();
        }
    }

    private TurnLimit begin(int lanes) {
        TurnLimit first;
        synchronized (this) {
            TurnLimit known = limit;
            if (known != null) {
                return known;
            }
            first = new TurnLimit(this, table.scheduler, lanes);
            limit = first;
            scheduler = first;
        }
        for (LaneCore lane : lanes()) {
            lane.adopt(first);
        }
        return first;
    }

    /** Ends a pause of the space by a limit of 0, since all that was accepted has to run. */
    final void endPause() {
        TurnLimit known = limit;
        if (known != null && known.turns() == 0) { // D1
            known.setTurns(1);
        }
    }

    /** Gives back the permit that the gate of a lane has kept for its open async task. */
    final void giveBackTurn() {
        TurnLimit known = limit;
        if (known != null) {
            known.giveBack();
        }
    }

    /** Returns true if turns need a permit. */
    public final boolean isLimited() {
        return limit != null;
    }

    /** Adds the lanes that wait for a permit to {@code list}. */
    final void listWaits(WaitList list) {
        TurnLimit known = limit;
        if (known != null) {
            known.listWaits(list);
        }
    }

    /**
     * Counts of the lanes of a space; not an atomic snapshot.
     *
     * @param waiting an estimate of the number of waiting tasks
     * @param running the number of lanes with a running task or an open async task
     * @param superseded the number of superseded tasks, with those of the lanes that have died
     * @param replaced the number of superseded tasks that workers have not counted yet
     */
    public record Counts(long waiting, int running, long superseded, long replaced) {}

    /** Returns the current counts, in time proportional to the numbers of lanes and waiting tasks. */
    public final Counts counts() {
        long superseded = supersededBefore.get(); // read first, so that a lane that dies now is not counted twice
        long waiting = 0;
        long replaced = 0;
        int running = 0;
        for (LaneCore lane : map.values()) {
            waiting += lane.estimatedDepth();
            running += lane.worker() != null || lane.isAsyncOpen() ? 1 : 0;
            superseded += lane.estimatedSuperseded();
            CoalescingSlot first = lane.cells;
            replaced += first == null ? 0 : first.estimatedReplaced();
        }
        return new Counts(waiting, running, superseded, replaced);
    }

    /** Returns all lanes of this space, as a weakly consistent collection. */
    public final Collection<LaneCore> lanes() {
        return table.scheduler.inOrder(map.values());
    }

    /**
     * Records the number of lanes, and returns true if few of many lanes are left, so that the map should be replaced.
     * Called by the sweep.
     */
    boolean isSparse() {
        int lanes = map.size();
        map.grown(lanes);
        return map.isSparse(lanes);
    }

    /** Continues a replacement of the map, or begins one if few of many lanes are left: {@link LaneMap#shrink}. */
    boolean shrink(int slice) {
        return map.shrink(map.size(), slice);
    }

    @Override
    public String toString() {
        return name == null ? "strands" : "keys " + name;
    }
}
