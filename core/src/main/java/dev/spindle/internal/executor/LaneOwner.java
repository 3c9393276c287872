// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Lifetime;
import dev.spindle.internal.SpaceKey;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.timer.Timers;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a lane that belongs to no user's key. It represents a strand, and is the key of the strand's lane. It is
 * not visible to users, so no key of a user finds the lane.
 */
public final class LaneOwner {
    /** The callbacks to the strand. Any thread calls them, outside every lock. */
    public interface Listener {
        /** Called when the lane of the strand has died. */
        void laneDied();

        /** Returns the termination of the strand. */
        TerminationFuture termination();
    }

    private final Object strand;
    private final String name;
    private final @Nullable Bounds bounds;
    private final @Nullable CountedPermits places;
    private final Lifetime lifetime;
    private final Listener listener;
    private final Timers.Group timers = new Timers.Group();

    /**
     * Creates the owner of a lane.
     *
     * @param strand the strand, for other modules
     * @param bounds the bounds of the lane, or null for those of the spindle
     * @param places the places of the lane, or null for the default of the spindle
     */
    public LaneOwner(
            Object strand,
            String name,
            @Nullable Bounds bounds,
            @Nullable CountedPermits places,
            Lifetime lifetime,
            Listener listener) {
        this.strand = strand;
        this.name = name;
        this.bounds = bounds;
        this.places = places;
        this.lifetime = lifetime;
        this.listener = listener;
    }

    /** Returns {@code key} as the owner of a lane, or null if it is a user's key. */
    public static @Nullable LaneOwner of(@Nullable Object key) {
        return key instanceof LaneOwner owner ? owner : null;
    }

    /** Returns the name by which users know a lane: the key without its space, or the name of a strand. */
    static Object label(Object key) {
        LaneOwner owner = of(key);
        return owner == null ? SpaceKey.keyOf(key) : owner.name;
    }

    static String describe(Object key) {
        LaneOwner owner = of(key);
        return owner == null ? "key " + key : owner.toString();
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

    /** Returns the places of the lane, or null for the default of the spindle. */
    public @Nullable CountedPermits places() {
        return places;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /** Returns the timers of the delayed tasks of the lane. */
    public Timers.Group timers() {
        return timers;
    }

    /** Returns the callbacks to the strand. */
    public Listener listener() {
        return listener;
    }

    /** Returns whether the strand itself has been shut down. */
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
