// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** An update of a key, with the number of updates that it superseded since the key became pending. */
final class KeyUpdate<V> {
    /** The content of a slot that is no longer in the map. */
    private static final KeyUpdate<?> RETIRED = new KeyUpdate<>(null, 0);

    private static final long WITHOUT_PLACE = -1;
    private static final VarHandle REPLACED;

    static {
        try {
            REPLACED = MethodHandles.lookup().findVarHandle(KeyUpdate.class, "replaced", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable V value;
    private long replaced; // written in release mode by the offer that pushes the place, read in acquire mode

    private KeyUpdate(@Nullable V value, long replaced) {
        this.value = value;
        this.replaced = replaced;
    }

    /** Returns an update that makes its key pending, and that has no place in the queue yet. */
    static <V> KeyUpdate<V> first(V value) {
        return new KeyUpdate<>(value, WITHOUT_PLACE);
    }

    /** Returns an update that supersedes {@code older} and takes its place. */
    static <V> KeyUpdate<V> after(KeyUpdate<V> older, V value) {
        return new KeyUpdate<>(value, older.replaced + 1);
    }

    @SuppressWarnings("unchecked") // this update has no value
    static <V> KeyUpdate<V> retired() {
        return (KeyUpdate<V>) RETIRED;
    }

    boolean isRetired() {
        return this == RETIRED;
    }

    V value() {
        V v = value;
        if (v == null) {
            throw new AssertionError("a retired slot has no value");
        }
        return v;
    }

    /** Notes that the place of this update is in the queue. */
    void placed() {
        REPLACED.setRelease(this, 0L);
    }

    boolean hasPlace() {
        return (long) REPLACED.getAcquire(this) != WITHOUT_PLACE;
    }

    /** Returns the number of updates that this update has superseded, directly or indirectly. */
    long replaced() {
        return Math.max(0, (long) REPLACED.getOpaque(this)); // negative if taken before placed() was called
    }
}
