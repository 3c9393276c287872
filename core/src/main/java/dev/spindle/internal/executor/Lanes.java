// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.ContextHook;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpaceKey;
import dev.spindle.internal.lane.CoalescingSlot;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneBarrier;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneGate;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.report.ActivityView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Submits tasks to lanes, for key spaces, lane handles and strands.
 *
 * <p>A submit finds the lane, checks that the executor is open, and then pushes the task. A shutdown closes the
 * executor and then every lane. So if a submit found the executor open, either the push succeeds and the shutdown waits
 * for the lane, or the lane is dead and the submit starts again.
 */
public final class Lanes implements Admission.Executor {
    /** The reason of a rejection if there is no thread and none can be started. */
    private static final String NO_THREAD = "has no worker thread and could not start one";

    private final ExecutorKernel kernel;
    private final Pool pool;
    private final LaneTable table;
    private final @Nullable ContextHook context;
    private final @Nullable Bounds bounds;
    private final ConcurrentHashMap<String, Class<?>> boxed = new ConcurrentHashMap<>(); // keyed by the space's name
    private volatile boolean shut;

    /** Creates an object that submits to the lanes of {@code kernel}. */
    public Lanes(ExecutorKernel kernel) {
        this.kernel = kernel;
        pool = kernel.pool();
        table = kernel.table();
        context = kernel.context();
        bounds = kernel.bounds();
    }

    /** Returns the parts that all executors on the pool share. */
    public ExecutorKernel kernel() {
        return kernel;
    }

    Pool pool() {
        return pool;
    }

    /**
     * Checks the key of a new lane.
     *
     * @throws IllegalArgumentException if the key is a boxed number, and an earlier key of its space is a boxed number
     *     of another class
     */
    public void requireOneClass(Object raw) {
        Object key = SpaceKey.keyOf(raw);
        if (!isBoxed(key)) {
            return;
        }
        String space = SpaceKey.spaceOf(raw);
        Class<?> before = boxed.putIfAbsent(space == null ? "" : space, key.getClass());
        if (before != null && before != key.getClass()) {
            throw new IllegalArgumentException(
                    "key " + raw + " is a " + key.getClass().getSimpleName() + ", and earlier keys of its space are of "
                            + before.getSimpleName() + ": equal numbers of two classes are different keys");
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

    /** Returns the lane of {@code key}, which is made if needed. */
    public LaneCore lane(Object key) {
        return table.lane(key);
    }

    /** Returns the lane of {@code key}, or null. */
    public @Nullable LaneCore existing(Object key) {
        return table.existing(key);
    }

    /**
     * Pushes {@code task} to {@code lane} or, if that lane is dead, to the lane that has replaced it. Returns the lane
     * that has accepted the task.
     */
    public LaneCore push(LaneCore lane, Object key, Runnable task) {
        return push(lane, key, LaneOwner.of(key), task);
    }

    /**
     * Pushes {@code task}; {@code strand} is null for a user's key. With very many keys, a read of the key or of the
     * task is a cache miss, so this method reads them only if necessary.
     */
    LaneCore push(LaneCore lane, Object key, @Nullable LaneOwner strand, Runnable task) {
        Runnable carried = context == null || isOurs(task) ? task : ContextTask.of(context, task);
        Bounds own = strand == null ? null : strand.bounds();
        Bounds bound = own != null ? own : bounds;
        if (bound != null && isOurs(task)) {
            bound = null;
        }
        for (LaneCore target = lane; ; target = table.laneAfter(target, key)) { // F3
            if (refuses(strand)) {
                return pushLate(target, key, strand, task, carried);
            }
            requireThread(key); // F5
            if (bound == null ? target.submit(carried) : pushBounded(target, key, carried, bound, task)) {
                return target;
            }
        }
    }

    private static boolean isOurs(Runnable task) {
        return task instanceof InternalTask;
    }

    /**
     * Takes the permits of a task and pushes the task. Returns false if the lane is dead, or if a shutdown has rejected
     * {@code user}, which {@link #pushLate} may still accept.
     */
    private boolean pushBounded(LaneCore target, Object key, Runnable carried, Bounds bound, Runnable user) {
        Headroom.require(); // before a place is taken
        try {
            return bound.push(target, carried, this);
        } catch (RejectedExecutionException e) {
            if (isShut(key) && LateTasks.mayBe(user)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Pushes a task after a shutdown if {@link LateTasks} accepts the task, else throws a rejection. This submit may
     * have made the lane {@code found}.
     */
    private LaneCore pushLate(LaneCore found, Object key, @Nullable LaneOwner strand, Runnable task, Runnable carried) {
        Headroom.require(); // before the lifetime is held
        Lifetime lifetime = lifetime(strand);
        if (!LateTasks.begin(task, pool, lifetime)) {
            found.close(); // the shutdown may have missed this lane
            throw rejected(key, null);
        }
        LaneCore target = found;
        try {
            requireThread(key);
            while (!target.push(carried)) {
                target = table.laneAfter(target, key);
            }
        } finally {
            target.close(); // the shutdown may have missed a lane made by this submit
            lifetime.release();
        }
        return target;
    }

    /**
     * Cancels the open async tasks. An async task that begins its hold later finds the executor halted and cancels
     * itself.
     */
    public void haltOpen() {
        table.lanes().forEach(Lanes::haltOpen);
    }

    /** Cancels the async task that is open in {@code lane}, if there is one. */
    public static void haltOpen(LaneCore lane) {
        LaneGate.OpenTask open = lane.openTask();
        if (open != null) {
            open.halt();
        }
    }

    /** Returns the lifetime of {@code strand}, or, if {@code strand} is null, of the spindle. */
    Lifetime lifetime(@Nullable LaneOwner strand) {
        return strand == null ? pool.lifetime() : strand.lifetime();
    }

    /** Pushes a delayed task that is due, even after a shutdown. A delayed task takes no permit. */
    void pushDue(Object key, Runnable task) {
        for (LaneCore lane = table.lane(key); ; lane = table.laneAfter(lane, key)) {
            if (lane.push(task)) {
                if (isShut(key)) {
                    lane.close(); // the shutdown may have missed a lane made here
                }
                return;
            }
        }
    }

    /** Submits {@code user} as a coalescing task to {@code slot}, or to the default slot if {@code slot} is null. */
    public CompletableFuture<Boolean> coalesce(LaneCore lane, Object key, @Nullable Object slot, Runnable user) {
        Runnable carried = context == null ? null : ContextTask.of(context, user);
        CompletableFuture<Boolean> future = CoalescingFuture.of(pool, user, carried);
        CoalescingSlot unused = offer(lane, key, slot, (CoalescingSubmission) future, true);
        return future;
    }

    /** Makes {@code future} the pending submission of the default slot of {@code key}. */
    public void coalesce(Object key, CoalescingSubmission future) {
        CoalescingSlot unused = offer(table.lane(key), key, null, future, true);
    }

    /** Submits a delayed coalescing task that is due, even after a shutdown. */
    void coalesceDue(Object key, CoalescingSubmission future) {
        CoalescingSlot unused = offer(table.lane(key), key, null, future, false);
        LaneCore lane = isShut(key) ? table.existing(key) : null;
        if (lane != null) {
            lane.close();
        }
    }

    private CoalescingSlot offer(
            LaneCore lane, Object key, @Nullable Object slot, CoalescingSubmission entry, boolean checked) {
        Headroom.require();
        for (LaneCore target = lane; ; target = table.laneAfter(target, key)) {
            if (checked) {
                requireOpen(target, key, LaneOwner.of(key));
            }
            CoalescingSlot cell = target.offer(slot, entry);
            if (cell != null) {
                return cell;
            }
        }
    }

    private void requireOpen(LaneCore target, Object key, @Nullable LaneOwner strand) {
        if (refuses(strand)) {
            // LaneTable-4
            target.close(); // the shutdown may have missed a lane made by this submit
            throw rejected(key, null);
        }
        requireThread(key);
    }

    /**
     * Ensures that the pool has a thread. If none can be started, throws the rejection of a task of {@code key}, or of
     * a plain task if {@code key} is null.
     */
    public void requireThread(@Nullable Object key) {
        if (!pool.ensureThread()) {
            throw refused(key, noThread());
        }
    }

    /** Returns the reason of a rejection for lack of a thread, or null if the executor has been shut down. */
    public @Nullable String noThread() {
        return isOpen() ? NO_THREAD : null;
    }

    /** Counts a rejection and returns its exception; {@code why} is null if the executor's state is the reason. */
    public RejectedExecutionException refused(@Nullable Object key, @Nullable String why) {
        LaneOwner strand = LaneOwner.of(key);
        boolean ofStrand = strand != null && (why != null || isOpen());
        String executor = (ofStrand ? strand + " of spindle " : "spindle ") + pool.name();
        boolean shutDown = ofStrand || !isOpen();
        boolean terminated = kernel.terminated().isDone();
        String state = terminated ? "is terminated" : shutDown ? "is shut down" : "is running";
        String what = key == null ? "plain task" : "task of " + LaneOwner.describe(key);
        return kernel.statistics()
                .rejected(null, key, executor + " " + (why != null ? why : state) + " and rejected a " + what);
    }

    @Override
    public RejectedExecutionException rejected(@Nullable Object key, @Nullable String why) {
        if (why == null) {
            return refused(key, null);
        }
        boolean shut = isShut(key);
        String executor = shut && LaneOwner.of(key) != null && isOpen() ? key + " of spindle " : "spindle ";
        String state = shut ? " (shut down)" : " (running)";
        String what = key == null ? "plain task: " : "task of " + key + ": ";
        return kernel.statistics().rejected(null, key, executor + pool.name() + state + " rejected a " + what + why);
    }

    /** Pauses the lane of {@code key}. */
    public void pause(Object key) {
        Headroom.require();
        for (LaneCore lane = table.lane(key); ; lane = table.laneAfter(lane, key)) {
            if (isShut(key)) {
                // D1
                lane.close(); // the shutdown may have missed a lane made here
            }
            if (lane.pause()) {
                return;
            }
        }
    }

    /** Ends one {@link #pause}. */
    public void resume(Object key) {
        Headroom.require();
        LaneCore lane = table.existing(key);
        if (lane == null) {
            if (isShut(key)) {
                return; // the shutdown has ended all pauses
            }
            throw new IllegalStateException(
                    LaneOwner.describe(key) + " is not paused; each resume() needs a pause() before it");
        }
        lane.resume();
    }

    @Override
    public boolean isShut(@Nullable Object key) {
        return refuses(LaneOwner.of(key));
    }

    private boolean refuses(@Nullable LaneOwner strand) {
        return shut || (strand != null && strand.isShut());
    }

    /** Returns true if the executor accepts tasks. */
    public boolean isOpen() {
        return !shut;
    }

    /** Makes the executor refuse further tasks. */
    public void shut() {
        shut = true;
    }

    /** Removes and returns the waiting tasks of the lane of {@code key}. */
    public List<Runnable> cancelPending(Object key) {
        Headroom.require();
        LaneCore lane = table.existing(key);
        return lane == null ? List.of() : lane.cancelPending();
    }

    /**
     * Returns a future that completes when all tasks accepted so far have ended, for the keys that {@code which}
     * accepts.
     */
    public CompletableFuture<@Nullable Void> quiesce(Predicate<Object> which) {
        Headroom.require();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (LaneCore lane : table.lanes()) {
            if (which.test(lane.key())) {
                CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
                afterPending(lane, () -> end.complete(null));
                ends.add(end);
            }
        }
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Runs {@code action} after all tasks of {@code key} accepted so far: in the lane, or at once if there is no lane.
     */
    void afterPending(Object key, Runnable action) {
        Headroom.require();
        afterPending(table.existing(key), action);
    }

    private static void afterPending(@Nullable LaneCore lane, Runnable action) {
        if (lane != null && lane.push(new LaneBarrier(action))) {
            lane.nudge();
        } else {
            action.run(); // a lane dies only after all its tasks have ended
        }
    }

    /**
     * Returns the activities of at most {@code n} lanes whose keys {@code which} accepts: the lanes with the longest
     * turn or wait, longest first.
     */
    public List<Activity> busiest(int n, Predicate<Object> which) {
        if (n < 0) {
            throw new IllegalArgumentException("n must not be negative, is " + n);
        }
        return table.lanes().stream()
                .filter(lane -> which.test(lane.key()))
                .map(kernel::activity)
                .filter(lane -> lane.pending() > 0 || lane.runningFor() != null) // M3
                .sorted(Comparator.comparing(ActivityView::busyFor).reversed())
                .<Activity>map(lane -> lane)
                .limit(n)
                .toList();
    }
}
