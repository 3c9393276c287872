// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** Names a lane in reports, events and messages: a lane itself, or a handle of a lane that may not exist. */
public interface LaneName {
    /** Returns the user's key, or the object that represents a strand. */
    Object key();

    /** Returns the name of the key space; null for a strand. */
    @Nullable
    String spaceName();

    /** Returns the key that {@code named} names, or {@code named} itself if it is not the name of a lane. */
    static Object keyOf(Object named) {
        return named instanceof LaneName lane ? lane.key() : named;
    }

    /** Returns the key space of {@code named}; null for a strand, and if {@code named} is not the name of a lane. */
    static @Nullable String spaceOf(@Nullable Object named) {
        return named instanceof LaneName lane ? lane.spaceName() : null;
    }
}
