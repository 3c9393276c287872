// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import static java.util.Objects.requireNonNull;

import dev.spindle.Activity;
import dev.spindle.Stats;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Initialization;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CoalescingSlot;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneBarrier;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneGate;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.report.Figures;
import dev.spindle.internal.stage.Origin;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Submits tasks to lanes, for key spaces, lane handles and strands.
 *
 * <p>A submit finds the lane, checks that the executor is open, and then pushes the task. A shutdown closes the
 * executor and then every lane. So if a submit found the executor open, either the push succeeds and the shutdown waits
 * for the lane, or the lane is dead and the submit starts again.
 */
public final class Lanes implements Admission.Executor {
    /** The name of the key space of the tasks that carry their key. */
    private static final String TASKS = "tasks";

    /** The reason of a rejection if there is no thread and none can be started. */
    private static final String NO_THREAD = "has no worker thread and could not start one";

    private static boolean coalesced; // racy: a second initialization does no harm

    private final ExecutorKernel kernel;
    private final Pool pool;
    private final LaneTable table;
    private final ConcurrentHashMap<String, Space> spaces = new ConcurrentHashMap<>();
    private final boolean plain; // true if there is no task decorator
    private final Space strands;
    private volatile @Nullable Space tasks; // the space named "tasks", null before its first use
    private volatile boolean shut;

    /** Creates an object that submits to the lanes of {@code kernel}. */
    public Lanes(ExecutorKernel kernel) {
        this.kernel = kernel;
        pool = kernel.pool();
        table = kernel.table();
        plain = kernel.taskDecorator() == null;
        strands = table.add(new Space(this, null, null));
    }

    /** Returns the parts that all executors on the pool share. */
    public ExecutorKernel kernel() {
        return kernel;
    }

    Pool pool() {
        return pool;
    }

    /** Returns the key space {@code name}, which is made if needed. */
    public Space space(String name) {
        Space known = spaces.get(name);
        return known != null ? known : put(name, new Space(this, name, null));
    }

    /** Adds {@code fresh} unless there is a space of that name. Returns the space of that name. */
    private Space put(String name, Space fresh) {
        synchronized (spaces) {
            Space known = spaces.get(name);
            if (known != null) {
                return known;
            }
            spaces.put(name, table.add(fresh));
            return fresh;
        }
    }

    /**
     * Makes a key space.
     *
     * @param keyCapacity the maximum number of waiting tasks of each key, or 0 for no bound
     * @param onFull the policy at that bound
     * @param maxConcurrency the maximum number of keys that run at once, or {@link Integer#MAX_VALUE} for no limit
     * @throws IllegalStateException if there is a space of that name
     */
    public Space newSpace(String name, int keyCapacity, Admission.Policy onFull, int maxConcurrency) {
        Space fresh = new Space(this, name, kernel.keyBounds(keyCapacity, onFull));
        fresh.setMaxConcurrency(maxConcurrency);
        if (put(name, fresh) != fresh) { // K2
            throw new IllegalStateException("spindle " + pool.name() + " has a key space " + name
                    + " already: build it before its first use, or change its properties by setters");
        }
        return fresh;
    }

    /** Changes the maximum number of waiting tasks of each key of {@code space}, and the policy at that bound. */
    public void setKeyCapacity(Space space, int keyCapacity, Admission.Policy onFull) {
        space.setBounds(requireNonNull(kernel.keyBounds(keyCapacity, onFull)));
    }

    /** Returns the space of the tasks that carry their key. */
    public Space tasks() {
        Space known = tasks;
        if (known == null) {
            known = space(TASKS);
            tasks = known;
        }
        return known;
    }

    Space strands() {
        return strands;
    }

    /** Returns the strand of {@code lane}; null for a user's key, and if {@code lane} is null. */
    @Nullable
    public LaneOwner strandOf(@Nullable LaneName lane) {
        return lane != null && lane.spaceName() == null ? (LaneOwner) lane.key() : null;
    }

    /**
     * Pushes {@code task} to {@code lane} or, if that lane is dead, to the lane that has replaced it. Returns the lane
     * that has accepted the task. With very many keys, a read of the key or of the task is a cache miss, so this method
     * reads them only if necessary.
     */
    public LaneCore push(LaneCore lane, Runnable task) {
        Runnable carried = plain || isOurs(task) ? task : kernel.decorated(task);
        Space space = (Space) lane.space();
        LaneOwner strand = space == strands ? (LaneOwner) lane.key() : null;
        Bounds bound = strand == null ? space.bounds() : strand.bounds();
        if (bound == null) {
            bound = kernel.bounds;
        }
        if (bound != null && isOurs(task)) {
            bound = null;
        }
        for (LaneCore target = lane; ; target = LaneSpace.laneAfter(target)) { // F3
            if (refuses(strand)) {
                return pushLate(target, strand, task, carried);
            }
            requireThread(target); // F5
            if (bound == null ? target.submit(carried) : pushBounded(target, carried, bound, task)) {
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
    private boolean pushBounded(LaneCore target, Runnable carried, Bounds bound, Runnable user) {
        Headroom.require(); // checked before a permit is taken, which a stack overflow would lose
        Bounds known = bound;
        for (Bounds before = null; known != before; ) {
            before = known;
            known.fit(target);
            known = boundsOf(target, known); // F4
        }
        try {
            return known.push(target, carried, this);
        } catch (RejectedExecutionException e) {
            if (isShut(target) && LateTasks.mayBe(user)) {
                return false;
            }
            throw e;
        }
    }

    /** Returns the present bounds of {@code lane}; {@code or} if it has no bounds of its own. */
    private Bounds boundsOf(LaneCore lane, Bounds or) {
        LaneOwner strand = strandOf(lane);
        Bounds now = strand == null ? ((Space) lane.space()).bounds() : strand.bounds();
        return now == null ? or : now;
    }

    /**
     * Pushes a task after a shutdown if {@link LateTasks} accepts the task, else throws a rejection. The lane
     * {@code found} may have been made by this submit.
     */
    private LaneCore pushLate(LaneCore found, @Nullable LaneOwner strand, Runnable task, Runnable carried) {
        Headroom.require(); // checked before the lifetime is held: a stack overflow would leave the hold
        Lifetime lifetime = lifetime(strand);
        if (!LateTasks.begin(task, pool, lifetime)) {
            found.close(); // the shutdown may have missed this lane
            throw rejected(found, null);
        }
        LaneCore target = found;
        try {
            requireThread(found);
            while (!target.push(carried)) {
                target = LaneSpace.laneAfter(target);
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

    /**
     * Returns whether the calling thread completes the open async task of {@code lane}. A wait of this thread for the
     * end of the lane would not end.
     */
    public static boolean isEndedByCaller(@Nullable LaneCore lane) {
        LaneGate.OpenTask open = lane == null ? null : lane.openTask();
        return open != null && open.isEndedByCaller();
    }

    /** Returns the lifetime of {@code strand}, or, if {@code strand} is null, of the spindle. */
    Lifetime lifetime(@Nullable LaneOwner strand) {
        return strand == null ? pool.lifetime() : strand.lifetime();
    }

    /** Pushes a delayed task that is due, even after a shutdown. A delayed task takes no permit. */
    void pushDue(LaneCore found, Runnable task) {
        for (LaneCore lane = found; ; lane = LaneSpace.laneAfter(lane)) {
            if (lane.push(task)) {
                if (isShut(lane)) {
                    lane.close(); // the shutdown may have missed a lane made here
                }
                return;
            }
        }
    }

    /** Submits {@code user} as a coalescing task of {@code key} to the default slot. */
    public CompletableFuture<Boolean> coalesce(Space space, Object key, Runnable user) {
        requireStack();
        Origin origin = requireNonNull(space.origin);
        CompletableFuture<Boolean> future = CoalescingFuture.of(origin, user, key, plain ? null : kernel.capture());
        CoalescingSlot unused = offer(space.lane(key), null, (CoalescingSubmission) future, true);
        return future;
    }

    /** Does the same for {@code slot}, or for the default slot if it is null; the key is null for a strand. */
    CompletableFuture<Boolean> coalesce(
            LaneCore lane, Origin origin, @Nullable Object key, @Nullable Object slot, Runnable user) {
        requireStack();
        CompletableFuture<Boolean> future = CoalescingFuture.of(origin, user, key, plain ? null : kernel.capture());
        CoalescingSlot unused = offer(lane, slot, (CoalescingSubmission) future, true);
        return future;
    }

    /** Makes {@code future} the pending submission of the default slot of {@code lane}. */
    void coalesce(LaneCore lane, CoalescingSubmission future) {
        requireStack();
        CoalescingSlot unused = offer(lane, null, future, true);
    }

    /** Submits a delayed coalescing task that is due, even after a shutdown. */
    void coalesceDue(LaneCore found, CoalescingSubmission future) {
        requireStack();
        CoalescingSlot unused = offer(found, null, future, false);
        LaneCore lane = isShut(found) ? found.space().existing(found.key()) : null;
        if (lane != null) {
            lane.close();
        }
    }

    /** Checks the stack for a coalescing submit, and for the first one initializes the classes that it needs (F5). */
    private static void requireStack() {
        Headroom.require();
        if (!coalesced) {
            Headroom.requireThrice();
            Initialization.of(MethodHandles.lookup(), CoalescingFuture.class, CoalescingSlot.class);
            coalesced = true;
        }
    }

    private CoalescingSlot offer(LaneCore lane, @Nullable Object slot, CoalescingSubmission entry, boolean checked) {
        for (LaneCore target = lane; ; target = LaneSpace.laneAfter(target)) {
            if (checked) {
                requireOpen(target);
            }
            CoalescingSlot cell = target.offer(slot, entry);
            if (cell != null) {
                return cell;
            }
        }
    }

    private void requireOpen(LaneCore target) {
        if (isShut(target)) {
            // LaneTable-4
            target.close(); // the shutdown may have missed a lane made by this submit
            throw rejected(target, null);
        }
        requireThread(target);
    }

    /**
     * Ensures that the pool has a thread. If none can be started, throws the rejection of a task of {@code lane}, or of
     * a plain task if {@code lane} is null.
     */
    public void requireThread(@Nullable LaneName lane) {
        if (!pool.ensureThread()) {
            throw refused(lane, noThread());
        }
    }

    /** Returns the reason of a rejection for lack of a thread, or null if the executor has been shut down. */
    public @Nullable String noThread() {
        return isOpen() ? NO_THREAD : null;
    }

    /** Counts a rejection and returns its exception; {@code why} is null if the executor's state is the reason. */
    public RejectedExecutionException refused(@Nullable LaneName lane, @Nullable String why) {
        LaneOwner strand = strandOf(lane);
        boolean ofStrand = strand != null && (why != null || isOpen());
        String executor = (ofStrand ? strand + " of spindle " : "spindle ") + pool.name();
        boolean shutDown = ofStrand || !isOpen();
        boolean terminated = kernel.terminated().isDone();
        String state = terminated ? "is terminated" : shutDown ? "is shut down" : "is running";
        String what = lane == null ? "plain task" : "task of " + LaneOwner.describe(lane);
        return kernel.statistics()
                .rejected(null, lane, executor + " " + (why != null ? why : state) + " and rejected a " + what);
    }

    @Override
    public RejectedExecutionException rejected(@Nullable LaneName lane, @Nullable String why) {
        if (why == null) {
            return refused(lane, null);
        }
        LaneOwner strand = strandOf(lane);
        boolean shut = refuses(strand);
        String executor = shut && strand != null && isOpen() ? strand + " of spindle " : "spindle ";
        String state = shut ? " (shut down)" : " (running)";
        String what = lane == null ? "plain task: " : "task of " + LaneOwner.describe(lane) + ": ";
        return kernel.statistics().rejected(null, lane, executor + pool.name() + state + " rejected a " + what + why);
    }

    /** Pauses the lane of {@code handle}. */
    void pause(LaneHandle handle) {
        Headroom.require();
        for (LaneCore lane = handle.space().lane(handle.key()); ; lane = LaneSpace.laneAfter(lane)) {
            if (isShut(handle)) {
                // D1
                lane.close(); // the shutdown may have missed a lane made here
            }
            if (lane.pause()) {
                return;
            }
        }
    }

    /** Ends one {@link #pause}. */
    void resume(LaneHandle handle) {
        Headroom.require();
        LaneCore lane = handle.existing();
        if (lane == null) {
            if (isShut(handle)) {
                return; // the shutdown has ended all pauses
            }
            throw new IllegalStateException(handle + " is not paused; each resume() needs a pause() before it");
        }
        lane.resume();
    }

    @Override
    public boolean isShut(@Nullable LaneName lane) {
        return refuses(strandOf(lane));
    }

    boolean refuses(@Nullable LaneOwner strand) {
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

    /** Removes and returns the waiting tasks of the lane of {@code handle}. */
    List<Runnable> cancelPending(LaneHandle handle) {
        Headroom.require();
        LaneCore lane = handle.existing();
        return lane == null ? List.of() : lane.cancelPending();
    }

    /** Returns a future that completes when all tasks that {@code space} has accepted so far have ended. */
    public CompletableFuture<@Nullable Void> quiesce(Space space) {
        Headroom.require();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (LaneCore lane : space.lanes()) {
            CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
            afterPending(lane, () -> end.complete(null));
            ends.add(end);
        }
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Runs {@code action} after all tasks of {@code key} accepted so far: in the lane, or at once if there is no lane.
     */
    void afterPending(Space space, Object key, Runnable action) {
        Headroom.require();
        afterPending(space.existing(key), action);
    }

    private static void afterPending(@Nullable LaneCore lane, Runnable action) {
        if (lane == null || isIdleUnderALimit(lane) || !lane.push(new LaneBarrier(action))) {
            action.run(); // there is no lane, or it is dead or idle: no task precedes the action
        } else {
            lane.nudge();
        }
    }

    /** Returns true if {@code lane} is idle, and a turn might wait for a permit. */
    private static boolean isIdleUnderALimit(LaneCore lane) {
        return lane.space().isLimited() && lane.isIdle();
    }

    /**
     * Returns the activities of at most {@code n} of the {@code lanes} that have a task: those with the longest turn or
     * wait, longest first.
     */
    public List<Activity> busiest(int n, Collection<LaneCore> lanes) {
        if (n < 0) {
            throw new IllegalArgumentException("n must not be negative, is " + n);
        }
        List<ActivityView> busiest = lanes.stream()
                .map(kernel::activity)
                .filter(lane -> lane.pending() > 0 || lane.runningFor() != null) // M3
                .sorted(Comparator.comparing(ActivityView::busyFor).reversed())
                .limit(n)
                .toList();
        return List.copyOf(busiest);
    }

    /** Returns what runs now, the longest first. */
    public List<Activity> running() {
        List<ActivityView> all = new ArrayList<>();
        Waits parties = kernel.statistics().parties();
        for (LaneCore lane : kernel.table().lanes()) {
            ActivityView view = kernel.activity(lane);
            if (view.runningFor() != null) {
                all.add(parties.named(lane, view));
            }
        }
        pool.forEachWorker(worker -> {
            ReadyEntry turn = worker.turn();
            Thread thread = worker.thread();
            if (thread != null && worker.runsTask() && (turn == null || turn instanceof ConcurrencyLimiter)) {
                ConcurrencyLimiter executor = turn instanceof ConcurrencyLimiter limiter ? limiter : null;
                all.add(parties.named(thread, outsideLanes(pool, worker, executor)));
            }
        });
        all.sort(Comparator.comparing(ActivityView::busyFor).reversed());
        return List.copyOf(all);
    }

    /** Returns the activities of the workers of {@code pool} that run tasks of {@code executor}, the longest first. */
    public static List<Activity> running(Pool pool, ConcurrencyLimiter executor) {
        List<ActivityView> all = new ArrayList<>();
        pool.forEachWorker(worker -> {
            if (worker.turn() == executor && worker.runsTask()) {
                all.add(outsideLanes(pool, worker, executor));
            }
        });
        all.sort(Comparator.comparing(ActivityView::busyFor).reversed());
        return List.copyOf(all);
    }

    /** Returns the activity of a worker that runs a plain task, or a task of {@code executor} if it is not null. */
    public static ActivityView outsideLanes(Pool pool, WorkerContext worker, @Nullable ConcurrencyLimiter executor) {
        Duration since = Duration.ofNanos(Math.max(0, pool.nanoTime() - worker.now()));
        return executor == null
                ? ActivityView.running(Activity.Kind.TASK, "spindle " + pool.name(), worker.thread(), since, 0)
                : ActivityView.running(
                        Activity.Kind.EXECUTOR,
                        "executor " + executor.name(),
                        worker.thread(),
                        since,
                        executor.estimatedQueued());
    }

    /** A key space with the bounds of its keys, or the space of the strands. */
    public static final class Space extends LaneSpace implements BiConsumer<@Nullable Object, Runnable> {
        private final Lanes lanes;
        final @Nullable Origin origin; // null for the space of the strands, each of which has its own
        private volatile @Nullable Bounds bounds;

        /**
         * Creates a space without keys.
         *
         * @param name the name, or null for the space of the strands
         * @param bounds the bounds of each key, or null if there are none
         */
        Space(Lanes lanes, @Nullable String name, @Nullable Bounds bounds) {
            super(lanes.table, name);
            this.lanes = lanes;
            this.bounds = bounds;
            ExecutorKernel kernel = lanes.kernel;
            origin = name == null
                    ? null
                    : kernel.newOrigin("spindle " + lanes.pool.name(), lanes.pool.lifetime(), this, null)
                            .runBy(this);
        }

        /** Runs a stage of a future of {@code key}. */
        @Override
        public void accept(@Nullable Object key, Runnable task) {
            LaneCore unused = lanes.push(lane(requireNonNull(key)), task);
        }

        /** Reads the counts of this space, in time proportional to the numbers of lanes and waiting tasks. */
        public Stats stats() {
            return stats(counts());
        }

        /** Returns {@code counts} as the counts of this space. */
        public Stats stats(LaneSpace.Counts counts) {
            Bounds own = bounds;
            int capacity = own == null ? Integer.MAX_VALUE : own.laneCapacity();
            String name = name();
            return new Figures(
                            name == null ? "strands" : name,
                            0,
                            0,
                            0,
                            0,
                            0,
                            counts.superseded(),
                            0,
                            counts.waiting(),
                            counts.running(),
                            capacity,
                            maxConcurrency())
                    .asStats();
        }

        /** Returns the bounds of each key, or null if there are none. */
        @Nullable
        Bounds bounds() {
            return bounds;
        }

        /**
         * Changes the bounds. A submit that has read the earlier bounds reads these again after it has used the earlier
         * ones (pushBounded).
         */
        synchronized void setBounds(Bounds changed) {
            bounds = changed;
            for (LaneCore lane : lanes()) {
                changed.refit(lane);
            }
        }
    }
}
