// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The map from keys to lanes. The map can shrink, so that a walk takes time proportional to the number of lanes. */
final class LaneMap {
    /*
     * A ConcurrentHashMap never shrinks. So when few of many lanes are left, a new table becomes the current one, and
     * the sweep moves the lanes into it. A thread that looks up a lane of the previous table moves that lane itself.
     * Only dead lanes are removed from the previous table before the whole table is dropped, so a walk over both tables
     * misses no lane.
     *
     * field     writers        readers    mode
     * tables    the sweep      all        volatile; each object is used once, so a thread that reads the same object
     *                                     twice has missed no change: no ABA
     * most      the sweep      same       plain: the most lanes that the sweep has seen since the current table was new
     * moving    the sweep      same       plain
     *
     * LaneMap-1  A thread uses a lane only if it has found the lane in the current table, and `tables` unchanged
     *     afterwards. A maker first moves the key's lane from the previous table, if there is one, and then uses
     *     putIfAbsent. So a key has at most one lane in the current table.
     * LaneMap-2  A maker that has put its lane into a replaced table finds `tables` changed, and puts the lane into the
     *     current table. If the current table has another lane for the key, the maker retires its own lane, which walks
     *     may have found.
     * LaneMap-3  The sweep replaces `tables` and then walks over the previous table, which has every lane that was used
     *     before. The sweep drops the previous table after all lanes of that table have been moved.
     * LaneMap-4  A dead lane is removed from both tables, and again if `tables` has changed. A thread that has moved a
     *     lane checks whether the lane is dead, so no dead lane stays in a table.
     *
     * Tests: LaneMapTest, CostContractTest.
     */
    /** The number of lanes that a table must have had before it is replaced. Not measured. */
    private static final int LEAST = 4_096;
    /** A table is replaced when at most one in this number of its lanes is left. Not measured. */
    private static final int SPARSE = 8;

    private volatile Tables tables = new Tables(new ConcurrentHashMap<>(), null);
    private int most;
    private @Nullable Iterator<Map.Entry<Object, LaneCore>> moving;
    private boolean movedAll;

    private record Tables(
            ConcurrentHashMap<Object, LaneCore> current,
            @Nullable ConcurrentHashMap<Object, LaneCore> previous) {}

    /** Returns the lane of {@code key}, or null. */
    @Nullable
    LaneCore get(Object key) {
        Tables t = tables;
        LaneCore lane = t.current.get(key);
        return (lane != null || t.previous == null) && t == tables ? lane : find(key); // LaneMap-1
    }

    private @Nullable LaneCore find(Object key) {
        for (; ; ) {
            Tables t = tables;
            LaneCore lane = t.current.get(key);
            if (lane == null) {
                lane = move(t, key);
            }
            if (t == tables) {
                return lane;
            }
        }
    }

    /**
     * Moves the lane of {@code key}, if any, from the previous table into the current table. Returns the lane in the
     * current table, or null.
     */
    private static @Nullable LaneCore move(Tables t, Object key) {
        LaneCore lane = t.previous == null ? null : t.previous.get(key);
        return lane == null ? null : move(t.current, key, lane);
    }

    /** Puts {@code lane} into {@code table} unless the key has a lane there; returns the lane in the table. */
    private static LaneCore move(ConcurrentHashMap<Object, LaneCore> table, Object key, LaneCore lane) {
        LaneCore other = table.putIfAbsent(key, lane);
        if (lane.isDead()) {
            table.remove(key, lane); // LaneMap-4
        }
        return other == null ? lane : other;
    }

    /** Puts {@code fresh} into the map unless the key has a lane; returns the lane of the key. */
    LaneCore put(Object key, LaneCore fresh) {
        boolean placed = false;
        try {
            for (; ; ) {
                Tables t = tables;
                LaneCore lane = move(t, key);
                if (lane == null) {
                    LaneCore other = t.current.putIfAbsent(key, fresh);
                    lane = other == null ? fresh : other;
                    placed |= lane == fresh;
                }
                if (t == tables) { // LaneMap-2
                    return lane;
                }
            }
        } catch (Throwable e) { // thrown by the key's code, for example
            if (placed && tables.previous != null) {
                boolean unused = fresh.tryRetire(); // LaneMap-2
            }
            throw e;
        }
    }

    /** Removes a dead lane. */
    void remove(Object key, LaneCore lane) {
        Tables t;
        do {
            t = tables;
            t.current.remove(key, lane);
            if (t.previous != null) {
                t.previous.remove(key, lane);
            }
        } while (t != tables); // LaneMap-4
    }

    /** Returns all lanes, as a weakly consistent collection. */
    Collection<LaneCore> values() {
        Tables t = tables;
        if (t.previous == null) {
            return t.current.values();
        }
        Set<LaneCore> all = Collections.newSetFromMap(new IdentityHashMap<>()); // a moved lane is in both tables
        all.addAll(t.previous.values());
        all.addAll(t.current.values());
        return all;
    }

    /** Returns an estimate of the number of lanes in the current table. */
    int size() {
        return (int) Math.min(Integer.MAX_VALUE, tables.current.mappingCount());
    }

    /** Records the number of lanes. */
    void grown(int lanes) {
        if (lanes > most) {
            most = lanes;
        }
    }

    /**
     * Returns true if {@code lanes} is at most an eighth of the recorded maximum, and this maximum is at least
     * {@link #LEAST}. The table should then be replaced.
     */
    boolean isSparse(int lanes) {
        return most >= LEAST && lanes <= most / SPARSE; // U2
    }

    /**
     * Continues a replacement of the table, or begins a replacement if few of many lanes are left. Called by the sweep.
     *
     * @param lanes an estimate of the number of lanes
     * @param slice the maximum number of lanes to move into the new table
     * @return true if all lanes of the previous table were visited, or no replacement is needed; if false, the caller
     *     calls again
     */
    boolean shrink(int lanes, int slice) {
        Tables t = tables;
        ConcurrentHashMap<Object, LaneCore> old = t.previous;
        if (old == null) {
            if (!isSparse(lanes)) {
                return true;
            }
            most = lanes;
            old = t.current;
            t = new Tables(new ConcurrentHashMap<>(), old);
            tables = t;
        }
        Iterator<Map.Entry<Object, LaneCore>> it = moving;
        if (it == null) {
            it = old.entrySet().iterator();
            movedAll = true;
        }
        moving = it;
        for (int i = 0; i < slice && it.hasNext(); i++) {
            Map.Entry<Object, LaneCore> entry = it.next();
            try {
                LaneCore unused = move(t.current, entry.getKey(), entry.getValue());
            } catch (Throwable e) { // thrown by the key's code: the next sweep tries again
                movedAll = false; // LaneMap-3
            }
        }
        if (it.hasNext()) {
            return false;
        }
        moving = null;
        if (movedAll) {
            tables = new Tables(t.current, null); // LaneMap-3
        }
        return true;
    }
}
