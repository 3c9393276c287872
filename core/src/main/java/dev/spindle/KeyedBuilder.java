// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/** Builds a key space with properties of its own. Not thread-safe. */
public final class KeyedBuilder<K> {
    private final Spindle spindle;
    private final String space;
    private int maxConcurrency = Integer.MAX_VALUE;
    private int keyCapacity;
    private OnFull onFull = OnFull.reject();

    KeyedBuilder(Spindle spindle, String space) {
        this.spindle = spindle;
        this.space = space;
    }

    /**
     * Sets the maximum number of keys that run at once, as {@link Keyed#setMaxConcurrency} does.
     *
     * @throws IllegalArgumentException if {@code keys} is less than 1
     */
    public KeyedBuilder<K> maxConcurrency(int keys) {
        maxConcurrency = SpindleBuilder.requireBound("maxConcurrency", keys);
        return this;
    }

    /**
     * Sets the maximum number of tasks that wait for one key, as {@link Keyed#setKeyCapacity} does.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1, or for {@link OnFull#callerRuns}, which would
     *     run tasks outside the turns of their lanes
     */
    public KeyedBuilder<K> keyCapacity(int tasks, OnFull policy) {
        onFull = SpindleBuilder.requireNoCallerRuns(policy);
        keyCapacity = SpindleBuilder.requireBound("keyCapacity", tasks);
        return this;
    }

    /**
     * Builds the space.
     *
     * @throws IllegalStateException if the spindle has a space of that name
     */
    public Keyed<K> build() {
        return new Keyed<>(spindle, spindle.lanes().newSpace(space, keyCapacity, onFull.policy(), maxConcurrency));
    }
}
