// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One accepted update of a key, and how many it has taken the place of since the key became pending. */
final class KeyUpdate<V> {
    /** Stands in a slot that is no longer in the map. */
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
    private long replaced; // release by the offer that pushes the place, acquire by all

    private KeyUpdate(@Nullable V value, long replaced) {
        this.value = value;
        this.replaced = replaced;
    }

    /** Returns the update that makes a key pending; it has no place in the queue yet. */
    static <V> KeyUpdate<V> first(V value) {
        return new KeyUpdate<>(value, WITHOUT_PLACE);
    }

    /** Returns an update in the place of {@code older}, which has one. */
    static <V> KeyUpdate<V> after(KeyUpdate<V> older, V value) {
        return new KeyUpdate<>(value, older.replaced + 1);
    }

    @SuppressWarnings("unchecked") // has no value
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

    /** Marks the place of this update as being in the queue. */
    void placed() {
        REPLACED.setRelease(this, 0L);
    }

    boolean hasPlace() {
        return (long) REPLACED.getAcquire(this) != WITHOUT_PLACE;
    }

    /** Returns how many updates this one has superseded, those included that they had superseded. */
    long replaced() {
        return Math.max(0, (long) REPLACED.getOpaque(this)); // taken before placed() was called
    }
}
