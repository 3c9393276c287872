// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.Initialization;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a spindle, of all key spaces and of the strands. An idle lane is retired after the key keep-alive, and
 * earlier if there are very many lanes or after {@link #closeAll}.
 */
public final class LaneTable {
    /*
     * field      writers                readers   mode
     * spaces     makers of spaces       all       a concurrent queue; a space is added before its first lane is made
     * live       makers, retirers       all       atomic: lanes made and not dead; not the sizes of the maps, since
     *                                             a key whose hash has changed cannot be removed from its map
     * epoch      the sweep              all       volatile
     * sweeping   turns, the sweep       all       atomic: NONE, CLEAN (armed), TOUCHED (armed, and a lane became idle
     *                                             since the scan began)
     *
     * LaneTable-2  While a lane is idle and not held, `sweeping` is not NONE. A thread that makes a lane idle or ends
     *     its last pause calls touched() afterwards. The sweep sets NONE only by a CAS from CLEAN, after a scan without
     *     such a lane.
     * LaneTable-4  After closeAll every lane, even a lane that is made later, is retired once it has run its accepted
     *     tasks. A maker inserts its lane and then reads `closed`; closeAll writes `closed` and then walks over the
     *     spaces. So the maker or closeAll closes the lane.
     * LaneTable-5  A maker counts its lane before it inserts the lane, so `live` is not 0 while a lane is not dead.
     *     Each thread that decrements `live`, even if its lane was not used, calls `died` afterwards, so the call after
     *     the last decrement finds `live` 0.
     *
     * Tests: LaneTableTest; jcstress TurnAgainstSweep (LaneTable-2), MakeAgainstClose (LaneTable-4), MakeAgainstMake
     * (LaneTable-5).
     */
    private static final int NONE = 0;
    private static final int CLEAN = 1;
    private static final int TOUCHED = 2;

    /** The maximum number of lanes that one call of {@link #sweep} checks or moves. Not measured. */
    private static final int SLICE = 4_096;

    /** The number of lanes that an eviction checks. Not measured. */
    private static final int EVICTION = 8;

    /** The minimum of {@link #defaultIdleLimit}. Not measured. */
    private static final int LEAST_IDLE = 16_384;

    /** The maximum of {@link #defaultIdleLimit}. Not measured. */
    private static final int MOST_IDLE = 1 << 22;

    /** The number of bytes of the heap for each lane of {@link #defaultIdleLimit}. Not measured. */
    private static final int BYTES_PER_LANE = 2_048;

    static {
        Initialization.of(
                MethodHandles.lookup(),
                LaneCore.class,
                Chunk.class,
                ThreadLocalRandom.class); // used by the counters of a ConcurrentHashMap
    }

    final Scheduler scheduler;
    private final Queue<LaneSpace> spaces = new ConcurrentLinkedQueue<>();
    private final AllLanes all = new AllLanes(spaces);
    final AtomicInteger live = new AtomicInteger();
    private final AtomicInteger sweeping = new AtomicInteger();
    private final AtomicBoolean evicting = new AtomicBoolean();
    private final AtomicLong superseded = new AtomicLong(); // without the tasks that workers count
    private final AtomicLong withdrawn = new AtomicLong();
    private final int idleLimit;
    private final Runnable armSweep;
    private final Consumer<LaneCore> died;
    private volatile int epoch;
    private volatile boolean closed;
    private @Nullable Iterator<LaneCore> hand; // guarded by `evicting`
    private @Nullable Iterator<LaneCore> scan; // used only by the sweep
    private boolean idleSeen;
    private boolean scanned; // true while the sweep shrinks the maps

    /**
     * Creates an empty table.
     *
     * @param idleLimit the approximate number of lanes above which idle lanes are retired at once
     * @param armSweep an action that schedules a call of {@link #sweep} on a worker after half the key keep-alive
     * @param died an action that is run after a lane has died and left the table
     */
    public LaneTable(Scheduler scheduler, int idleLimit, Runnable armSweep, Consumer<LaneCore> died) {
        this.scheduler = scheduler;
        this.idleLimit = idleLimit;
        this.armSweep = armSweep;
        this.died = died;
    }

    /**
     * Returns the default of the number of lanes above which idle lanes are retired at once: one lane for each 2 KB of
     * the heap, within bounds.
     */
    public static int defaultIdleLimit() {
        return (int)
                Math.max(LEAST_IDLE, Math.min(MOST_IDLE, Runtime.getRuntime().maxMemory() / BYTES_PER_LANE));
    }

    /** Adds a space without lanes, and returns it. Called before the first lane of the space is made. */
    public <S extends LaneSpace> S add(S space) {
        boolean unused = spaces.add(space);
        return space;
    }

    /** Creates and counts a lane. The caller then puts the lane into the map of {@code space}. */
    LaneCore made(LaneSpace space, Object key) {
        if (live.get() >= idleLimit) {
            evict();
        }
        LaneCore fresh = new LaneCore(space, key);
        fresh.stamp = epoch;
        scheduler.made(fresh);
        live.incrementAndGet();
        return fresh;
    }

    /** Called after a lane that was made has been put into its map. */
    void placed(LaneCore fresh) {
        if (closed) {
            fresh.retireWhenIdle();
        }
        touched();
    }

    /** Uncounts a lane that has died or was not used. The executor may then terminate (LaneTable-5). */
    void uncount(LaneCore lane) {
        live.decrementAndGet();
        died.accept(lane);
    }

    int epoch() {
        return epoch;
    }

    /** Called after a lane has become idle or is no longer paused (LaneTable-2). */
    void touched() {
        if (sweeping.get() != TOUCHED && sweeping.getAndSet(TOUCHED) == NONE) {
            armSweep.run();
        }
    }

    /**
     * Continues the sweep, which retires the lanes that have been idle for the key keep-alive, and shrinks the maps. At
     * its end, the sweep schedules the next sweep if an idle lane is left or a lane has become idle.
     *
     * @return true if the sweep has ended; if false, the caller calls again
     */
    public boolean sweep() {
        if (!scanned && !scan()) {
            return false;
        }
        if (isSparse() && evicting.compareAndSet(false, true)) {
            hand = null; // the iterator would keep the replaced map reachable
            evicting.set(false);
        }
        scanned = !shrink();
        if (scanned) {
            return false;
        }
        if (idleSeen || !sweeping.compareAndSet(CLEAN, NONE)) { // LaneTable-2
            sweeping.set(TOUCHED);
            armSweep.run();
        }
        return true;
    }

    private boolean isSparse() {
        boolean sparse = false;
        for (LaneSpace space : spaces) {
            sparse |= space.isSparse();
        }
        return sparse;
    }

    /**
     * Replaces sparse maps, at most one slice of each in a call. Returns false at the first map whose replacement has
     * not ended.
     */
    private boolean shrink() {
        for (LaneSpace space : spaces) {
            if (!space.shrink(SLICE)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Examines a slice of the lanes, and retires the lanes that were idle for two epochs. Returns true after the last
     * slice.
     */
    private boolean scan() {
        Iterator<LaneCore> it = scan;
        if (it == null) {
            sweeping.set(CLEAN);
            int next = epoch + 1; // only the sweep writes `epoch`
            epoch = next;
            idleSeen = false;
            it = lanes().iterator();
            scan = it;
        }
        for (int i = 0; i < SLICE && it.hasNext(); i++) {
            LaneCore lane = it.next();
            if (lane.isFree() && !(epoch - lane.stamp >= 2 && lane.tryRetire())) { // K7
                idleSeen = true;
            }
        }
        if (it.hasNext()) {
            return false;
        }
        scan = null;
        return true;
    }

    /**
     * Retires the idle lanes among the next eight lanes, unless another thread is in this method. The iterator
     * {@code hand} circles over the table, as in the clock algorithm.
     */
    private void evict() {
        if (!evicting.compareAndSet(false, true)) {
            return;
        }
        try {
            Iterator<LaneCore> it = hand;
            for (int i = 0; i < EVICTION; i++) {
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

    /** Returns all lanes, as a weakly consistent collection. */
    public Collection<LaneCore> lanes() {
        return scheduler.inOrder(all);
    }

    boolean isClosed() {
        return closed;
    }

    /** Adds the lanes that wait for a permit of their space to {@code list}. */
    public void listWaits(WaitList list) {
        for (LaneSpace space : spaces) {
            space.listWaits(list);
        }
    }

    /** Returns true if every lane is dead. */
    public boolean isEmpty() {
        return live.get() == 0;
    }

    /** Returns the number of lanes that are not dead. */
    public int size() {
        return live.get();
    }

    /**
     * Counts superseded coalescing tasks in the count of the calling worker. Counts them in this table if the caller is
     * not a worker of this pool, or if the worker keeps no such count.
     */
    void countSuperseded(long count) {
        WorkerContext worker = WorkerContext.current();
        if (worker == null || worker.scheduler() != scheduler || !worker.countSuperseded(count)) {
            superseded.addAndGet(count);
        }
    }

    /** Counts accepted tasks that were withdrawn before they ran. */
    public void countWithdrawn(int count) {
        withdrawn.addAndGet(count);
    }

    /**
     * Counts of tasks; not an atomic snapshot.
     *
     * @param withdrawn the number of tasks withdrawn before they ran
     * @param superseded the number of superseded tasks, without the tasks that workers count
     * @param waiting an estimate of the number of waiting tasks
     */
    public record TaskCounts(long withdrawn, long superseded, long waiting) {}

    /** Returns the current counts, in time proportional to the numbers of lanes and waiting tasks. */
    public TaskCounts taskCounts() {
        long removed = withdrawn.get(); // read first, so that a task that leaves a lane now is not counted twice
        long replaced = superseded.get();
        long waiting = 0;
        for (LaneCore lane : all) {
            waiting += lane.estimatedDepth();
            CoalescingSlot first = lane.cells;
            replaced += first == null ? 0 : first.estimatedReplaced();
        }
        return new TaskCounts(removed, replaced, waiting);
    }

    /** Passes every lane to {@code reader}, as {@link PoolConfig.Host#readLanes} describes. */
    public long read(long now, PoolConfig.LaneReader reader) {
        long replaced = superseded.get();
        for (LaneCore lane : all) {
            int pending = lane.estimatedDepth();
            CoalescingSlot first = lane.cells;
            replaced += first == null ? 0 : first.estimatedReplaced();
            reader.lane(
                    lane,
                    pending,
                    pending == 0 ? 0 : lane.estimatedAgeMillis(),
                    lane.worker(),
                    lane.isAsyncOpen() ? lane.estimatedHoldNanos(now) / 1_000_000 : -1,
                    lane.isPaused());
        }
        return replaced;
    }

    /** Does what {@link #taskCounts()} does, and passes the counts of each space to {@code each}, in one walk. */
    public TaskCounts taskCounts(BiConsumer<LaneSpace, LaneSpace.Counts> each) {
        long removed = withdrawn.get();
        long replaced = superseded.get();
        long waiting = 0;
        for (LaneSpace space : spaces) {
            LaneSpace.Counts counts = space.counts();
            waiting += counts.waiting();
            replaced += counts.replaced();
            each.accept(space, counts);
        }
        return new TaskCounts(removed, replaced, waiting);
    }

    /** Retires each lane, even a lane made later, as soon as the lane has run its accepted tasks (LaneTable-4). */
    public void closeAll() {
        closed = true; // LaneTable-4
        for (LaneSpace space : spaces) {
            space.endPause();
        }
        for (LaneCore lane : lanes()) {
            lane.close();
        }
    }

    /** The lanes of all spaces, as a weakly consistent collection. */
    private static final class AllLanes extends AbstractCollection<LaneCore> {
        private final Iterable<LaneSpace> spaces;

        AllLanes(Iterable<LaneSpace> spaces) {
            this.spaces = spaces;
        }

        @Override
        public Iterator<LaneCore> iterator() {
            return new Walk(spaces.iterator());
        }

        /** Does not report a size, which other threads change during a walk. */
        @Override
        public Spliterator<LaneCore> spliterator() {
            return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.NONNULL);
        }

        @Override
        public int size() {
            int size = 0;
            for (LaneSpace space : spaces) {
                size += space.map.values().size();
            }
            return size;
        }

        private static final class Walk implements Iterator<LaneCore> {
            private final Iterator<LaneSpace> spaces;
            private Iterator<LaneCore> lanes = Collections.emptyIterator();

            Walk(Iterator<LaneSpace> spaces) {
                this.spaces = spaces;
            }

            @Override
            public boolean hasNext() {
                while (!lanes.hasNext() && spaces.hasNext()) {
                    lanes = spaces.next().map.values().iterator();
                }
                return lanes.hasNext();
            }

            @Override
            public LaneCore next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return lanes.next();
            }
        }
    }
}
