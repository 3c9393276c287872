// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.SpaceKey;
import dev.spindle.internal.lane.LaneCore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a key's lane. It remembers the lane that it used last, and finds the successor of a retired one. The
 * handle of a strand is itself the key of the strand's lane; it is private to the strand, so no user's key names that
 * lane.
 */
final class LaneHandle implements Lane {
    private final Spindle spindle;
    private final Lanes lanes;
    private final Object key;
    private final @Nullable Strand strand;
    private volatile @Nullable LaneCore last;

    LaneHandle(Spindle spindle, Object key) {
        this.spindle = spindle;
        this.lanes = spindle.lanes();
        this.key = Objects.requireNonNull(key, "key");
        strand = null;
    }

    /** Creates the handle of a strand's lane. */
    LaneHandle(Strand strand) {
        this.spindle = strand.spindle();
        this.lanes = spindle.lanes();
        this.key = this;
        this.strand = strand;
    }

    /** Returns the strand of this lane, or null if the lane belongs to a user's key. */
    @Nullable
    Strand strand() {
        return strand;
    }

    @Override
    public Object key() {
        return Lanes.label(key);
    }

    /** Returns the lane if it exists and is not dead, else null. */
    @Nullable
    LaneCore existing() {
        LaneCore lane = last;
        if (lane == null || lane.isDead()) {
            lane = lanes.existing(key);
            last = lane;
        }
        return lane;
    }

    /** Returns the lane if it exists and can be found without calling key code, else null. */
    @Nullable
    LaneCore known() {
        LaneCore lane = last;
        return strand != null ? existing() : lane == null || lane.isDead() ? null : lane;
    }

    private LaneCore lane() {
        LaneCore lane = last;
        if (lane == null) {
            lane = lanes.lane(key);
            last = lane;
        }
        return lane;
    }

    private void push(Runnable task) {
        LaneCore lane = lane();
        LaneCore used = lanes.push(lane, key, strand, task);
        if (used != lane) {
            last = used;
        }
    }

    @Override
    public void execute(Runnable task) {
        push(Objects.requireNonNull(task, "task"));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        TaskFuture<T> future = new TaskFuture<>(spindle.pool(), this, task, null);
        push(future);
        return future;
    }

    @Override
    public CompletableFuture<?> submit(Runnable task) {
        TaskFuture<@Nullable Void> future = new TaskFuture<>(spindle.pool(), this, task, null);
        push(future);
        return future;
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Supplier<? extends CompletionStage<T>> task) {
        return submitAsync(task, 0);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Supplier<? extends CompletionStage<T>> task, Duration limit) {
        return submitAsync(task, Durations.toNanos(Durations.requirePositive("limit", limit)));
    }

    private <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Supplier<? extends CompletionStage<T>> task, long limitNanos) {
        TaskFuture<T> future = AsyncTask.of(this, Objects.requireNonNull(task, "task"), limitNanos, spindle);
        push(future);
        return future;
    }

    @Override
    public Coalesced coalesce(Runnable task) {
        return lanes.coalesce(lane(), key, null, Objects.requireNonNull(task, "task"));
    }

    @Override
    public Coalesced coalesce(Object slot, Runnable task) {
        Objects.requireNonNull(slot, "slot");
        return lanes.coalesce(lane(), key, slot, Objects.requireNonNull(task, "task"));
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Duration delay) {
        return delay(task, "delay", delay, 0);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
        long nanos = Durations.toNanos(Durations.requirePositive("period", period));
        return delay(task, "initialDelay", initialDelay, nanos);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
        long nanos = Durations.toNanos(Durations.requirePositive("delay", delay));
        return delay(task, "initialDelay", initialDelay, -nanos);
    }

    private ScheduledFuture<?> delay(Runnable task, String what, Duration first, long period) {
        return spindle.delay(this, task, null, Durations.toNanos(Objects.requireNonNull(first, what)), period);
    }

    @Override
    public void pause() {
        lanes.pause(key);
    }

    @Override
    public void resume() {
        lanes.resume(key);
    }

    @Override
    public List<Runnable> cancelPending() {
        return lanes.cancelPending(key);
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        return lanes.quiesce(key, this);
    }

    @Override
    public LaneSnapshot snapshot() {
        LaneCore lane = existing();
        return lane != null
                ? lanes.snapshot(lane)
                : new LaneSnapshot(SpaceKey.spaceOf(key), key(), 0, Duration.ZERO, null, null, 0, false);
    }

    Lifetime lifetime() {
        return lanes.lifetime(strand);
    }

    /** Returns the key of the lane in the table of lanes; for a strand it is this handle. */
    Object rawKey() {
        return key;
    }

    @Override
    public String toString() {
        return Lanes.describe(key);
    }
}
