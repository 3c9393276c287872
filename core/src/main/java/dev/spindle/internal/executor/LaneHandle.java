// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Durations;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.stage.Origin;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The handle of the lane of a key or of a strand. The handle keeps the lane that it used last, and looks the key up
 * again when that lane is dead.
 */
public final class LaneHandle implements Executor, LaneName, BiConsumer<@Nullable Object, Runnable> {
    private final Lanes lanes;
    private final Lanes.Space space;
    private final Object key;
    final @Nullable Object spaceKey; // the key in a key space; null for a strand
    private volatile @Nullable LaneCore last;

    /** Creates the handle of the lane of a user's key. */
    public LaneHandle(Lanes lanes, Lanes.Space space, Object key) {
        this.lanes = lanes;
        this.space = space;
        this.key = Objects.requireNonNull(key, "key");
        spaceKey = space.origin == null ? null : key;
    }

    /** Creates the handle of the lane of a strand. */
    public LaneHandle(Lanes lanes, LaneOwner strand) {
        this(lanes, lanes.strands(), strand);
    }

    @Override
    public Object key() {
        return key;
    }

    @Override
    public @Nullable String spaceName() {
        return space.name();
    }

    Lanes.Space space() {
        return space;
    }

    /** Returns the origin of the futures of this lane. */
    public Origin origin() {
        Origin ofSpace = space.origin;
        return ofSpace != null ? ofSpace : originOf((LaneOwner) key);
    }

    private Origin originOf(LaneOwner strand) {
        Origin known = strand.origin();
        return known != null
                ? known
                : strand.origin(() -> lanes.kernel()
                        .newOrigin(strand.toString(), strand.lifetime(), space, strand)
                        .runBy(this));
    }

    /** Runs a stage of a future of a strand. */
    @Override
    public void accept(@Nullable Object none, Runnable task) {
        push(task);
    }

    /** Returns the strand, or null if the lane has a user's key. */
    @Nullable
    LaneOwner strand() {
        return lanes.strandOf(this);
    }

    /** Returns the lane if it exists, else null. */
    public @Nullable LaneCore existing() {
        LaneCore lane = last;
        if (lane == null || lane.isDead()) {
            lane = space.existing(key);
            last = lane;
        }
        return lane;
    }

    /** Returns the lane if it exists and can be found without a call of key code, else null. */
    @Nullable
    LaneCore known() {
        LaneCore lane = last;
        return space == lanes.strands() ? existing() : lane == null || lane.isDead() ? null : lane;
    }

    private LaneCore lane() {
        LaneCore lane = last;
        if (lane == null) {
            lane = space.lane(key);
            last = lane;
        }
        return lane;
    }

    private void push(Runnable task) {
        LaneCore lane = lane();
        LaneCore used = lanes.push(lane, task);
        if (used != lane) {
            last = used;
        }
    }

    @Override
    public void execute(Runnable task) {
        push(Objects.requireNonNull(task, "task"));
    }

    /** Submits {@code task} to the lane, and returns the future of its result. */
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        TaskFuture<T> future = new TaskFuture<>(origin(), this, task);
        push(future);
        return future;
    }

    /** Submits {@code task} to the lane, and returns its future. */
    public CompletableFuture<?> submit(Runnable task) {
        TaskFuture<@Nullable Void> future = new TaskFuture<>(origin(), this, task);
        push(future);
        return future;
    }

    /** Submits {@code task} to the lane as an async task. */
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Callable<? extends CompletionStage<T>> task) {
        return submitAsync(task, 0);
    }

    /** Submits {@code task} to the lane as an async task with a time limit. */
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Callable<? extends CompletionStage<T>> task, Duration timeout) {
        return submitAsync(task, Durations.toNanos(Durations.requirePositive("timeout", timeout)));
    }

    private <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Callable<? extends CompletionStage<T>> task, long limitNanos) {
        TaskFuture<T> future = AsyncTask.of(this, Objects.requireNonNull(task, "task"), limitNanos, lanes.kernel());
        push(future);
        return future;
    }

    /** Makes {@code task} the pending coalescing task of the lane's default slot. */
    public CompletableFuture<Boolean> coalesce(Runnable task) {
        return lanes.coalesce(lane(), origin(), spaceKey, null, Objects.requireNonNull(task, "task"));
    }

    /** Makes {@code submission} the pending coalescing task of the lane's default slot. */
    public void coalesce(CoalescingSubmission submission) {
        lanes.coalesce(lane(), submission);
    }

    /** Makes {@code task} the pending coalescing task of {@code slot}. */
    public CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task) {
        Objects.requireNonNull(slot, "slot");
        return lanes.coalesce(lane(), origin(), spaceKey, slot, Objects.requireNonNull(task, "task"));
    }

    /** Prevents the start of further tasks until {@link #resume}; calls are counted. */
    public void pause() {
        lanes.pause(this);
    }

    /** Ends one {@link #pause}. */
    public void resume() {
        lanes.resume(this);
    }

    /** Removes and returns all waiting tasks. */
    public List<Runnable> cancelPending() {
        return lanes.cancelPending(this);
    }

    /** Returns a future that completes when all tasks accepted before this call have ended. */
    public CompletableFuture<@Nullable Void> quiesce() {
        TaskFuture<@Nullable Void> reached = new TaskFuture<>(origin(), this, (Runnable) () -> {});
        lanes.afterPending(space, key, () -> reached.complete(null));
        return reached;
    }

    /** Returns the activity of the lane. */
    public ActivityView activity() {
        LaneCore lane = existing();
        return lane != null ? lanes.kernel().activity(lane) : LaneOwner.activity(this, null);
    }

    /** Returns the lifetime of the strand, or of the spindle if the lane has a user's key. */
    public Lifetime lifetime() {
        return lanes.lifetime(strand());
    }

    @Override
    public String toString() {
        return LaneOwner.describe(this);
    }
}
