// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.stage.Origin;
import dev.spindle.internal.timer.Timers;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Represents a strand, and is the key of the strand's lane in the space of the strands.
 */
public final class LaneOwner {
    /** The callbacks to the strand. Any thread may call them, without a lock held. */
    public interface Listener {
        /** Called when the lane of the strand has died. */
        void laneDied();

        /** Returns the termination future of the strand. */
        TerminationFuture termination();
    }

    private final Object strand;
    private final String name;
    private volatile @Nullable Bounds bounds;
    private final Lifetime lifetime;
    private final Listener listener;
    private final Timers.Group timers = new Timers.Group();
    private volatile @Nullable Origin origin; // null before the first future

    /**
     * Creates the key of a strand's lane.
     *
     * @param strand the strand, which appears as a party in the list of waits
     * @param bounds the bounds of the strand, or null if it has no capacity of its own
     */
    public LaneOwner(Object strand, String name, @Nullable Bounds bounds, Lifetime lifetime, Listener listener) {
        this.strand = strand;
        this.name = name;
        this.bounds = bounds;
        this.lifetime = lifetime;
        this.listener = listener;
    }

    /** Returns {@code key} if it represents a strand, or null if it is a user's key. */
    public static @Nullable LaneOwner of(@Nullable Object key) {
        return key instanceof LaneOwner owner ? owner : null;
    }

    /** Returns the user's key, or the name of a strand. */
    private static Object label(LaneName lane) {
        LaneOwner owner = of(lane.key());
        return owner == null ? lane.key() : owner.name;
    }

    /** Returns the name of {@code lane} in reports. Calls {@code toString} of a user's key. */
    public static String describe(LaneName lane) {
        String space = lane.spaceName();
        return space == null ? lane.key().toString() : "key " + space + "/" + lane.key();
    }

    /** Returns the activity of a task of {@code lane}, without data about the lane. */
    static ActivityView activity(LaneName lane, @Nullable Object task) {
        return new ActivityView(
                Activity.Kind.LANE,
                () -> describe(lane),
                lane.spaceName(),
                label(lane),
                task,
                null,
                null,
                0,
                Duration.ZERO,
                0,
                false,
                ActivityView::noWait);
    }

    /**
     * Reads the activity of {@code lane}.
     *
     * @param now the time by the clock of the pool
     * @param task the task as it was submitted, or null
     * @param waits a function that returns the longest wait of the lane
     */
    static ActivityView activity(LaneCore lane, long now, @Nullable Object task, Supplier<@Nullable WaitEdge> waits) {
        WorkerContext worker = lane.worker();
        boolean async = lane.isAsyncOpen();
        long running = async ? lane.estimatedHoldNanos(now) : worker == null ? -1 : worker.turnNanos();
        return new ActivityView(
                async ? Activity.Kind.ASYNC : Activity.Kind.LANE,
                () -> describe(lane),
                lane.spaceName(),
                label(lane),
                task,
                lane.thread(),
                worker == null && !async ? null : Duration.ofNanos(Math.max(0, running)),
                lane.estimatedDepth(),
                Duration.ofMillis(lane.estimatedAgeMillis()),
                lane.estimatedSuperseded(),
                lane.isPaused(),
                waits);
    }

    /** Returns the origin of the strand's futures, or null before the first future. */
    @Nullable
    Origin origin() {
        return origin;
    }

    /** Returns the origin of the strand's futures, which {@code maker} makes for the first of them. */
    synchronized Origin origin(Supplier<Origin> maker) {
        Origin known = origin;
        if (known == null) {
            known = maker.get();
            origin = known;
        }
        return known;
    }

    /** Called when the strand has terminated. */
    public void endOrigin() {
        Origin known = origin;
        if (known != null) {
            known.end();
        }
    }

    Object strand() {
        return strand;
    }

    String name() {
        return name;
    }

    @Nullable
    Bounds bounds() {
        return bounds;
    }

    /** Changes the bounds of the strand, whose lane is {@code lane} or does not exist. */
    public synchronized void setBounds(@Nullable Bounds changed, @Nullable LaneCore lane) {
        bounds = changed;
        if (changed != null && lane != null) {
            changed.refit(lane);
        }
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /** Returns the group of the strand's timers. */
    public Timers.Group timers() {
        return timers;
    }

    /** Returns the callbacks to the strand. */
    public Listener listener() {
        return listener;
    }

    boolean isShut() {
        return lifetime.isShutItself();
    }

    /** Returns whether the calling thread runs a task of the lane. */
    public boolean isCurrent() {
        LaneCore lane = LaneCore.current();
        return lane != null && lane.key() == this;
    }

    @Override
    public String toString() {
        return "strand " + name;
    }
}
