// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.SpaceKey;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.DelayedTaskTarget;
import dev.spindle.internal.executor.LaneHandle;
import dev.spindle.internal.executor.LaneOwner;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.lane.LaneCore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A key space of a {@link Spindle}. Each key names a {@link Lane}, which its first submit creates and which is removed
 * after the key has been idle for the key keep-alive. Each method that takes a key does for its lane what the method of
 * the same name in {@link Lane} does, with the same exceptions and memory consistency effects; {@link #at} gives the
 * lane, which has more. Thread-safe.
 *
 * <p><b>Keys</b> compare by {@code equals} and {@code hashCode}, which must not change while a key is in use. If one of
 * them throws, the exception reaches the submitter and nothing is accepted. A space refuses a boxed number of another
 * class than its earlier ones with an {@link IllegalArgumentException}, since 42 and 42L are different keys.
 *
 * <p><b>Key spaces.</b> Equal keys name one lane only within one space. {@link Spindle#keyed(String)} returns the space
 * of a name: order 42 of {@code keyed("orders")} never waits for account 42 of {@code keyed("accounts")}.
 * {@link Spindle#keyed()} returns the unnamed space, which all its callers share, also with {@link SequentialTask}s and
 * {@link CoalescingTask}s. Unrelated uses of the unnamed space need distinct keys, such as two record types. A space
 * without keys costs nothing. A key of a named space costs one small object more, and so does each look-up, which
 * {@link #at} saves.
 *
 * @param <K> the type of the keys
 */
public final class Keyed<K> {
    private final Spindle spindle;
    private final @Nullable String space;
    private final Lanes lanes;

    /** Creates a view of the named space, or of the unnamed space if {@code space} is null. */
    Keyed(Spindle spindle, @Nullable String space) {
        this.spindle = spindle;
        this.space = space;
        this.lanes = spindle.lanes();
    }

    /** Returns a handle of the key's lane. It saves the look-up of the key and stays valid. */
    public Lane at(K key) {
        return new KeyLane(spindle, raw(key));
    }

    /** Runs {@code task} after all tasks that the key has accepted: {@link Lane#execute}. */
    public void execute(K key, Runnable task) {
        Objects.requireNonNull(task, "task");
        Object raw = raw(key);
        lanes.push(lanes.lane(raw), raw, task);
    }

    /** Runs {@code task} in order and returns a future of its result: {@link Lane#submit(Callable)}. */
    public <T extends @Nullable Object> CompletableFuture<T> submit(K key, Callable<T> task) {
        return handle(key).submit(task);
    }

    /** Runs {@code task} in order and returns its future: {@link Lane#submit(Runnable)}. */
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
        Object raw = raw(key);
        return lanes.coalesce(lanes.lane(raw), raw, null, task);
    }

    /**
     * Returns what {@link Spindle#busiest} returns, restricted to the keys of this space.
     *
     * @throws IllegalArgumentException if {@code n} is negative
     */
    public List<Activity> busiest(int n) {
        return lanes.busiest(n, this::has);
    }

    /**
     * Returns a future that completes when all tasks that keys of this space have accepted before this call have ended.
     * Takes time in proportion to the number of lanes.
     */
    public CompletableFuture<@Nullable Void> quiesce() {
        return lanes.quiesce(this::has);
    }

    private boolean has(Object raw) {
        return LaneOwner.of(raw) == null && Objects.equals(SpaceKey.spaceOf(raw), space);
    }

    /** Returns the key that the table of lanes has for {@code key}. */
    private Object raw(K key) {
        return space == null ? Objects.requireNonNull(key, "key") : new SpaceKey(space, key);
    }

    private LaneHandle handle(K key) {
        return new LaneHandle(lanes, raw(key));
    }

    /** The lane of a key. Its end is that of its spindle. */
    private static final class KeyLane extends TaskService implements Lane {
        private final Spindle spindle;
        private final LaneHandle lane;

        KeyLane(Spindle spindle, Object rawKey) {
            this.spindle = spindle;
            lane = new LaneHandle(spindle.lanes(), rawKey);
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
            return new TaskFuture<>(spindle.pool(), lane, task, result);
        }

        @Override
        <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
            return DelayedTaskTarget.schedule(spindle.lanes(), lane, task, null, delayNanos, periodNanos);
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
        return (space == null ? "keys" : "keys " + space) + " of " + spindle;
    }
}
