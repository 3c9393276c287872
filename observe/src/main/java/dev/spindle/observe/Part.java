// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.internal.SpindlePart.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a part of a spindle. Parts of one kind with equal names are shown as one, with the sums of their
 * counts.
 *
 * @param owner the name of the pipeline of a stage, or of the consumer of a partition; null for other kinds
 */
record Part(Kind kind, @Nullable String owner, String name) {
    /** Returns the part of {@code kind} in whose counts parts in excess of a limit are included. */
    static Part others(Kind kind) {
        return new Part(kind, hasOwner(kind) ? "others" : null, "others");
    }

    /** Returns true if the names of parts of {@code kind} are unique within their owner alone. */
    static boolean hasOwner(Kind kind) {
        return kind == Kind.STAGE || kind == Kind.PARTITION;
    }
}
