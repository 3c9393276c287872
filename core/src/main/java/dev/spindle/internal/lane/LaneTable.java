// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.limit.CountedPermits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of an executor by their keys. A lane is made by the first submit to its key and retired when it has been
 * idle for the linger time, or earlier when very many idle lanes linger.
 */
public final class LaneTable {
    /*
     * field      writers                readers   mode
     * lanes      all                    all       see LaneMap
     * live       makers, retirers       all       atomic; lanes made and not dead, kept apart from the map since a key
     *                                             whose hash has changed can no longer be removed from it
     * epoch      the sweep              all       volatile
     * sweeping   turns, the sweep       all       atomic: NONE, CLEAN (armed), TOUCHED (armed, and a lane became idle
     *                                             since the scan began)
     *
     * LaneTable-1  A lane is in the map from before its first push to after its death. A dead lane in the map is
     *     replaced by whoever meets it.
     * LaneTable-2  While a lane is idle and not held, sweeping is not NONE: finish() and resume() call touched() after
     *     they made it so, and the sweep goes back to NONE only by a CAS from CLEAN after a scan that saw no such lane,
     *     or when it could not be armed. A sweep that finds no memory goes on after half the linger time.
     * LaneTable-3  Key code (hashCode, equals) is called by submitters and by retirements, never under a lock of ours
     *     other than the map's own bin locks, taken only to insert and to remove.
     *
     * LaneTable-5  A maker counts its lane before it puts it into the map, so `live` is never 0 while one lives.
     *     Whoever lowers `live` calls `died`, a maker that was too late with a lane of its own included: so the last
     *     one to do so finds `live` 0, and ends what waits for that.
     *
     * Tests: LaneTableTest; jcstress TurnAcrossRemoval (LaneTable-1), TurnAgainstSweep (LaneTable-2), MakeAgainstClose
     * (LaneTable-4, at closeAll), MakeAgainstMake (LaneTable-5).
     */
    private static final int NONE = 0;
    private static final int CLEAN = 1;
    private static final int TOUCHED = 2;
    private static final int SLICE = 4096;

    final Scheduler scheduler;
    private final LaneMap lanes = new LaneMap();
    private final AtomicInteger live = new AtomicInteger();
    private final AtomicInteger sweeping = new AtomicInteger();
    private final AtomicBoolean evicting = new AtomicBoolean();
    private final AtomicLong superseded = new AtomicLong(); // those that no worker has counted
    private final AtomicLong withdrawn = new AtomicLong();
    private final Function<Object, @Nullable CountedPermits> places;
    private final int idleLimit;
    private final Runnable armSweep;
    private final Consumer<LaneCore> died;
    private volatile int epoch;
    private volatile boolean closed;
    private @Nullable Iterator<LaneCore> hand; // guarded by `evicting`
    private @Nullable Iterator<LaneCore> scan; // of the one sweep that runs
    private boolean idleSeen;
    private boolean scanned; // and the map has to be made smaller

    /**
     * Creates an empty table.
     *
     * @param places returns the places of a new lane by its key, or null for no bound
     * @param idleLimit about how many lanes there may be before idle ones are retired at once
     * @param armSweep has {@link #sweep} called by a worker after half the linger time
     * @param died called when a lane has died and left the table
     */
    public LaneTable(
            Scheduler scheduler,
            Function<Object, @Nullable CountedPermits> places,
            int idleLimit,
            Runnable armSweep,
            Consumer<LaneCore> died) {
        this.scheduler = scheduler;
        this.places = places;
        this.idleLimit = idleLimit;
        this.armSweep = armSweep;
        this.died = died;
    }

    /** Returns the lane of {@code key}, new if there is none. It may be retired before the caller uses it. */
    public LaneCore lane(Object key) {
        LaneCore lane = lanes.get(key);
        return lane != null ? lane : make(key);
    }

    /** Returns the lane of {@code key} if there is one. */
    public @Nullable LaneCore existing(Object key) {
        return lanes.get(key);
    }

    /** Returns a lane of {@code key} other than {@code retired}, which the caller found dead or being retired. */
    public LaneCore laneAfter(LaneCore retired, Object key) {
        if (retired.isDead()) {
            lanes.remove(key, retired);
            LaneCore next = lane(key);
            if (next == retired) {
                throw new IllegalStateException("the lane of key " + key
                        + " cannot be replaced: hashCode or equals of the key have changed since it was submitted");
            }
            return next;
        }
        Thread.yield(); // sealed by a retirement that will either succeed or give up
        return lane(key);
    }

    private LaneCore make(Object key) {
        Headroom.require();
        if (live.get() >= idleLimit) {
            evict();
        }
        LaneCore fresh = new LaneCore(this, key, places.apply(key));
        fresh.stamp = epoch;
        scheduler.made(fresh);
        lanes.grown(live.incrementAndGet());
        LaneCore lane;
        try {
            lane = lanes.put(key, fresh);
        } catch (Throwable t) {
            if (!(t instanceof OutOfMemoryError && holds(key, fresh))) {
                if (!fresh.isDead()) {
                    uncount(fresh);
                }
                throw t;
            }
            lane = fresh; // the map had no memory only to count what it holds
        }
        if (lane != fresh) {
            boolean unused = fresh.tryRetire(); // as ever: walks may have found it (LaneMap-2)
            return lane;
        }
        if (closed) {
            fresh.retireWhenIdle();
        }
        touched();
        return fresh;
    }

    private boolean holds(Object key, LaneCore lane) {
        try {
            return lanes.get(key) == lane;
        } catch (Throwable t) {
            return false; // the key's code
        }
    }

    void died(LaneCore lane) {
        try {
            lanes.remove(lane.key(), lane);
        } catch (Throwable t) {
            scheduler.failed(lane.key(), () -> {}, t);
        }
        uncount(lane);
    }

    /** Counts out a lane that died, or was never used: the end of the executor may depend on it (LaneTable-5). */
    private void uncount(LaneCore lane) {
        live.decrementAndGet();
        died.accept(lane);
    }

    int epoch() {
        return epoch;
    }

    /** Called when a lane has become idle or is no longer held (LaneTable-2). */
    void touched() {
        if (sweeping.get() != TOUCHED && sweeping.getAndSet(TOUCHED) == NONE) {
            arm();
        }
    }

    /**
     * Goes on with the scan for lanes that have been idle for the linger time.
     *
     * @return whether the scan has ended; else call again
     */
    public boolean sweep() {
        try {
            return step();
        } catch (OutOfMemoryError e) {
            sweeping.set(TOUCHED);
            arm();
            return true;
        }
    }

    private boolean step() {
        if (!scanned && !scan()) {
            return false;
        }
        if (lanes.isSparse(live.get()) && evicting.compareAndSet(false, true)) {
            hand = null; // it would keep the table that is replaced
            evicting.set(false);
        }
        scanned = !lanes.shrink(live.get(), SLICE);
        if (scanned) {
            return false;
        }
        if (idleSeen || !sweeping.compareAndSet(CLEAN, NONE)) {
            sweeping.set(TOUCHED);
            arm();
        }
        return true;
    }

    /** Retires what has been idle for long, a slice of the lanes; returns whether that was the last one. */
    private boolean scan() {
        Iterator<LaneCore> it = scan;
        if (it == null) {
            sweeping.set(CLEAN);
            int next = epoch + 1; // only the one sweep that runs writes it
            epoch = next;
            idleSeen = false;
            it = lanes().iterator();
            scan = it;
        }
        for (int i = 0; i < SLICE && it.hasNext(); i++) {
            LaneCore lane = it.next();
            if (lane.isFree() && !(epoch - lane.stamp >= 2 && lane.tryRetire())) {
                idleSeen = true;
            }
        }
        if (it.hasNext()) {
            return false;
        }
        scan = null;
        return true;
    }

    private void arm() {
        try {
            armSweep.run();
        } catch (OutOfMemoryError e) {
            sweeping.set(NONE); // the next lane that becomes idle tries again
        }
    }

    /** Retires a few idle lanes at once: the hand of a clock goes round the table. */
    private void evict() {
        if (!evicting.compareAndSet(false, true)) {
            return;
        }
        try {
            Iterator<LaneCore> it = hand;
            for (int i = 0; i < 8; i++) {
                if (it == null || !it.hasNext()) {
                    it = lanes().iterator();
                    if (!it.hasNext()) {
                        break;
                    }
                }
                LaneCore lane = it.next();
                if (lane.isFree()) {
                    lane.tryRetire();
                }
            }
            hand = it;
        } finally {
            evicting.set(false);
        }
    }

    /** Returns all lanes, weakly consistent. */
    public Collection<LaneCore> lanes() {
        return scheduler.inOrder(lanes.values());
    }

    /** Returns whether there is no lane that lives. */
    public boolean isEmpty() {
        return live.get() == 0;
    }

    /** Returns how many lanes live. */
    public int size() {
        return live.get();
    }

    /** Counts coalescing tasks that were replaced: on a worker without a write that others share. */
    void countSuperseded(long count) {
        WorkerContext worker = WorkerContext.current();
        if (worker == null || worker.scheduler() != scheduler || !worker.countSuperseded(count)) {
            superseded.addAndGet(count);
        }
    }

    /** Counts accepted tasks that were taken away before they ran. */
    public void countWithdrawn(int count) {
        withdrawn.addAndGet(count);
    }

    /**
     * Counts of tasks; not one moment's picture.
     *
     * @param withdrawn how many were taken away before they ran
     * @param superseded how many were superseded, but for those that workers have counted
     * @param waiting about how many wait
     */
    public record TaskCounts(long withdrawn, long superseded, long waiting) {}

    /** Returns the counts of now; takes time in proportion to the lanes and their tasks. */
    public TaskCounts taskCounts() {
        long removed =
                withdrawn.get(); // before the lanes: what leaves them meanwhile is left out, and never counted twice
        long replaced = superseded.get();
        long waiting = 0;
        for (LaneCore lane : lanes.values()) {
            waiting += lane.estimatedDepth();
            CoalescingSlot first = lane.cells;
            replaced += first == null ? 0 : first.estimatedReplaced();
        }
        return new TaskCounts(removed, replaced, waiting);
    }

    /**
     * Has every lane, those to come included, retired as soon as it has run what it accepted. (LaneTable-4: a lane that
     * is made at the same time was inserted before its maker read `closed`, so either the maker or this walk closes
     * it.)
     */
    public void closeAll() {
        closed = true;
        for (LaneCore lane : lanes()) {
            lane.close();
        }
    }

    /** Takes away everything that waits in any lane, in the order of each lane, and returns the user's own objects. */
    public List<Runnable> cancelAll() {
        List<Runnable> tasks = new ArrayList<>();
        for (LaneCore lane : lanes()) {
            tasks.addAll(lane.cancelPending());
        }
        return tasks;
    }
}
