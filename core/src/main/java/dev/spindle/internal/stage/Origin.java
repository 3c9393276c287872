// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stage;

import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The origin of futures: an executor, a strand, or the lanes of a key space. A future refers to its origin even when it
 * is done, since a stage may be attached later. The origin refers to the executor only until the executor has
 * terminated, so a future that is done keeps no terminated executor reachable (U3).
 */
public final class Origin {
    private final String name;

    /** Runs a stage; the first argument is the key in a key space. Null once the executor has terminated. */
    private volatile @Nullable BiConsumer<@Nullable Object, Runnable> executor;

    private @Nullable Pool pool; // cleared after `executor`, as are the other references
    private @Nullable Lifetime lifetime;
    private @Nullable LaneSpace space;
    private @Nullable Object strand;

    /**
     * Creates an origin.
     *
     * @param name the executor's name in a rejection
     * @param lifetime the lifetime of the executor
     * @param space the space of the lanes, or null if the tasks have no lane
     * @param strand the key of the lane of a strand, or null
     */
    public Origin(String name, Pool pool, Lifetime lifetime, @Nullable LaneSpace space, @Nullable Object strand) {
        this.name = name;
        this.pool = pool;
        this.lifetime = lifetime;
        this.space = space;
        this.strand = strand;
    }

    /** Sets the function that runs a stage; its first argument is the key of a key space. Returns this object. */
    public Origin runBy(BiConsumer<@Nullable Object, Runnable> function) {
        executor = function;
        return this;
    }

    /** Forgets the executor, which has terminated. */
    public void end() {
        executor = null;
        pool = null;
        lifetime = null;
        space = null;
        strand = null;
    }

    /** Returns the pool, or null if the executor has terminated. */
    public @Nullable Pool pool() {
        return pool;
    }

    /** Returns the lifetime of the executor, or null if the executor has terminated. */
    @Nullable
    Lifetime lifetime() {
        return lifetime;
    }

    /** Returns true after a {@code shutdownNow}. */
    boolean isHalted() {
        Lifetime own = lifetime;
        return own == null || own.isHalted();
    }

    /** Returns the lane of {@code key} or of the strand, or null if there is none. */
    @Nullable
    LaneCore lane(@Nullable Object key) {
        LaneSpace lanes = space;
        Object of = strand;
        Object wanted = of == null ? key : of;
        return lanes == null || wanted == null ? null : lanes.existing(wanted);
    }

    /** Runs {@code task} on the executor, in the lane of {@code key} if this is the origin of a key space. */
    void execute(@Nullable Object key, Runnable task) {
        BiConsumer<@Nullable Object, Runnable> by = executor;
        if (by == null) {
            throw new RejectedExecutionException(name + " is terminated and rejected a stage of a future");
        }
        by.accept(key, task);
    }

    @Override
    public String toString() {
        return name;
    }
}
