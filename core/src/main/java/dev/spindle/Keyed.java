// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.DelayedTaskTarget;
import dev.spindle.internal.executor.LaneHandle;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.over.BorrowedPool;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A key space of a {@link Spindle}. Each key names a {@link Lane}. The first use of a key creates the lane. The lane is
 * removed after the key has been idle for the {@linkplain SpindleBuilder#keyKeepAlive key keep-alive}. A method with a
 * key argument does what the method of the same name in {@link Lane} does for the lane of the key. The exceptions and
 * memory consistency effects are the same. {@link #at} returns the lane. Thread-safe.
 *
 * <p><b>Keys</b> compare by {@code equals} and {@code hashCode}, whose results must not change while a key is in use.
 * If {@code equals} or {@code hashCode} throws in a submit, the exception reaches the submitter and the task is not
 * accepted. 42 and 42L are different keys. A space therefore accepts boxed numbers of one class only, and throws
 * {@link IllegalArgumentException} for a number of another class.
 *
 * <p><b>Key spaces.</b> Equal keys name the same lane only if they belong to the same space, and equal names give the
 * same space of a spindle: order 42 of {@code keyed("orders")} never waits for account 42 of {@code keyed("accounts")}.
 * A space stays until the spindle ends and takes some hundred bytes. Objects that come and go are therefore keys of one
 * space, not spaces.
 *
 * @param <K> the type of the keys
 */
public final class Keyed<K> {
    private final Spindle spindle;
    private final Lanes lanes;
    private final Lanes.Space space;

    /** Creates a view of {@code space}. */
    Keyed(Spindle spindle, Lanes.Space space) {
        this.spindle = spindle;
        this.space = space;
        lanes = spindle.lanes();
    }

    /**
     * Returns a new key space whose turns are tasks of {@code executor}: virtual threads, the threads of a server, an
     * event loop. {@linkplain Lane Lanes} keep what they promise: order, no overlap, memory consistency effects,
     * pauses, async tasks, stages. A turn ends after 32 tasks or about 100 µs, and its lane then goes to the end of the
     * executor's queue. Delays are measured by the JDK's delay thread. Threads, and the replacement of blocked ones,
     * are those of the executor.
     *
     * <p>If the executor rejects a turn, the submit throws {@link java.util.concurrent.RejectedExecutionException}. If
     * there is no submitter, for example when an async task ends, the futures of the waiting tasks are cancelled, and
     * other tasks are reported as failed. After a {@code shutdown} of the executor, its threads run the turns that they
     * have to the end. The runnables that its {@code shutdownNow} returns are turns; run them, or
     * {@linkplain Lane#cancelPending cancel} the tasks. An executor that runs turns in the calling thread runs them one
     * after the other and not within one another, except while a task waits for a future of another lane.
     *
     * <p>The space is not shut down, and is garbage collected when it is neither used nor has tasks.
     *
     * @throws IllegalArgumentException if {@code space} is blank
     */
    public static <K> Keyed<K> over(String space, Executor executor) {
        return spindleOver(space, executor).keyed(space);
    }

    /** Returns a spindle that runs its turns on {@code executor}. */
    static Spindle spindleOver(String name, Executor executor) {
        return Spindle.builder()
                .name(name)
                .threadFactory(BorrowedPool.on(executor))
                .build();
    }

    /**
     * Returns a handle of the key's lane, which stays valid. Submits through the handle save the look-up of the key.
     */
    public Lane at(K key) {
        return new KeyLane(spindle, handle(key));
    }

    /** Runs {@code task} after all tasks that the lane accepted earlier: {@link Lane#execute}. */
    public void execute(K key, Runnable task) {
        Objects.requireNonNull(task, "task");
        lanes.push(space.lane(Objects.requireNonNull(key, "key")), task);
    }

    /** Runs {@code task} in the order of the lane and returns a future of its result: {@link Lane#submit(Callable)}. */
    public <T extends @Nullable Object> CompletableFuture<T> submit(K key, Callable<T> task) {
        return handle(key).submit(task);
    }

    /** Runs {@code task} in the order of the lane and returns its future: {@link Lane#submit(Runnable)}. */
    public CompletableFuture<?> submit(K key, Runnable task) {
        return handle(key).submit(task);
    }

    /** Runs an async task, which holds the lane until its stage completes: {@link Lane#submitAsync(Callable)}. */
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            K key, Callable<? extends CompletionStage<T>> task) {
        return handle(key).submitAsync(task);
    }

    /** Runs {@code task} unless a newer task supersedes it: {@link Lane#coalesce(Runnable)}. */
    public CompletableFuture<Boolean> coalesce(K key, Runnable task) {
        Objects.requireNonNull(task, "task");
        return lanes.coalesce(space, Objects.requireNonNull(key, "key"), task);
    }

    /**
     * Sets the maximum number of tasks that wait for each key of this space, and the policy of submits that find this
     * number of tasks waiting. Coalescing tasks are not counted, and neither are tasks accepted before the space had
     * such a bound. If more tasks wait already, they stay. By default there is no bound.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1, or for {@link OnFull#callerRuns}, which would
     *     run tasks outside the turns of their lanes
     */
    public void setKeyCapacity(int tasks, OnFull policy) {
        OnFull onFull = SpindleBuilder.requireNoCallerRuns(policy);
        lanes.setKeyCapacity(space, SpindleBuilder.requireBound("keyCapacity", tasks), onFull.policy());
    }

    /**
     * Sets the maximum number of keys of this space that run at once, such as the number of connections that their
     * tasks share. A key counts while one of its tasks runs, and while an async task is open. A key that has to wait
     * holds no thread. Keys are served in the order in which they became ready, and a key that goes on becoming ready
     * yields after 32 tasks or about 100 µs while another key waits. By default there is no limit. Cost: constant, but
     * for the first limit, which visits each key.
     *
     * <p>May be called at any time, and also holds for keys that exist. A larger limit lets waiting keys run at once.
     * With a smaller limit, keys in excess of it stop after their running task. 0 pauses the space: tasks are accepted
     * and none begins. A shutdown of the spindle ends this pause, and then 0 means 1.
     *
     * <p>A task that waits for a task of another key of this space needs a limit of at least 2.
     *
     * @throws IllegalArgumentException if {@code keys} is negative
     */
    public void setMaxConcurrency(int keys) {
        Headroom.require();
        space.setMaxConcurrency(SpindleBuilder.requireLimit("maxConcurrency", keys));
    }

    /**
     * Returns the current counts of this space: {@link Stats#pending}, {@link Stats#running} and
     * {@link Stats#superseded}. A key with an open async task counts as running. {@link Stats#capacity} is that of each
     * key, and {@link Stats#maxConcurrency} that of the space. Other counts are not kept for a space and are 0;
     * {@link Spindle#stats} has those of all keys. Takes time in proportion to the numbers of keys and pending tasks.
     */
    public Stats stats() {
        return space.stats();
    }

    /**
     * Does what {@link Spindle#busiest} does, for the lanes of this space only.
     *
     * @throws IllegalArgumentException if {@code n} is negative
     */
    public List<Activity> busiest(int n) {
        return lanes.busiest(n, space.lanes());
    }

    /**
     * Returns a future that completes when all tasks that this space accepted before this call have ended. Takes time
     * in proportion to the number of keys.
     */
    public CompletableFuture<@Nullable Void> quiesce() {
        return lanes.quiesce(space);
    }

    private LaneHandle handle(K key) {
        return new LaneHandle(lanes, space, key);
    }

    /** The lane of a key, which ends with its spindle. */
    private static final class KeyLane extends TaskService implements Lane {
        private final Spindle spindle;
        private final LaneHandle lane;

        KeyLane(Spindle spindle, LaneHandle lane) {
            this.spindle = spindle;
            this.lane = lane;
        }

        @Override
        public Object key() {
            return lane.key();
        }

        @Override
        Pool pool() {
            return spindle.pool();
        }

        @Override
        public void execute(Runnable task) {
            lane.execute(task);
        }

        @Override
        <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
            return TaskFuture.of(lane.origin(), lane, task, result);
        }

        @Override
        <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
            return DelayedTaskTarget.schedule(spindle.lanes(), lane, task, delayNanos, periodNanos);
        }

        @Override
        public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
                Callable<? extends CompletionStage<T>> task) {
            return lane.submitAsync(task);
        }

        @Override
        public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
                Callable<? extends CompletionStage<T>> task, Duration timeout) {
            return lane.submitAsync(task, timeout);
        }

        @Override
        public CompletableFuture<Boolean> coalesce(Runnable task) {
            return lane.coalesce(task);
        }

        @Override
        public CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task) {
            return lane.coalesceSlot(slot, task);
        }

        @Override
        public void pause() {
            lane.pause();
        }

        @Override
        public void resume() {
            lane.resume();
        }

        @Override
        public List<Runnable> cancelPending() {
            return lane.cancelPending();
        }

        @Override
        public CompletableFuture<@Nullable Void> quiesce() {
            return lane.quiesce();
        }

        @Override
        public boolean isCurrent() {
            LaneCore current = LaneCore.current();
            return current != null && current == lane.existing();
        }

        @Override
        public Activity activity() {
            return lane.activity();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public void close() {}

        @Override
        public boolean isShutdown() {
            return spindle.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return spindle.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            Objects.requireNonNull(unit, "unit");
            boolean quiet = awaitEnd(pool(), quiesce(), timeout, unit);
            return quiet && isTerminated();
        }

        @Override
        public String toString() {
            return lane.toString();
        }
    }

    /** Returns a string that names the key space and the spindle. */
    @Override
    public String toString() {
        return space + " of " + spindle;
    }
}
