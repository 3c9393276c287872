// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key of a named key space. The table of lanes treats a {@code SpaceKey} like any other key, so a key space needs no
 * state of its own.
 */
public final class SpaceKey implements Comparable<SpaceKey> {
    private final String space;
    private final Object key;
    private final int hash;

    /**
     * Creates a key. Calls the {@code hashCode} method of {@code key}.
     *
     * @throws NullPointerException if {@code key} is null
     */
    public SpaceKey(String space, Object key) {
        this.space = space;
        this.key = Objects.requireNonNull(key, "key");
        hash = 31 * space.hashCode() + key.hashCode();
    }

    /** Returns the user's own key, which {@code raw} is or contains. */
    public static Object keyOf(Object raw) {
        return raw instanceof SpaceKey named ? named.key : raw;
    }

    /** Returns the name of the space, or null for a key of the unnamed space. */
    public static @Nullable String spaceOf(@Nullable Object raw) {
        return raw instanceof SpaceKey named ? named.space : null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof SpaceKey that
                        && hash == that.hash
                        && space.equals(that.space)
                        && (key == that.key || key.equals(that.key)));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /**
     * Compares the spaces, then the user's keys if they are comparable and of one class. The {@code ConcurrentHashMap}
     * of the lanes uses this order for keys with equal hashes.
     */
    @Override
    @SuppressWarnings("unchecked")
    public int compareTo(SpaceKey other) {
        int bySpace = space.compareTo(other.space);
        return bySpace == 0 && key instanceof Comparable<?> own && key.getClass() == other.key.getClass()
                ? ((Comparable<Object>) own).compareTo(other.key)
                : bySpace;
    }

    @Override
    public String toString() {
        return space + "/" + key;
    }
}
