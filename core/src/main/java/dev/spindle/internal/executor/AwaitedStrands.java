// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.OrderedSet;

/**
 * The strands of a spindle whose termination is awaited, which the spindle notifies when it terminates. A strand that
 * has terminated is removed, so that the spindle does not keep it reachable.
 */
final class AwaitedStrands {
    private final OrderedSet<Strand> strands = new OrderedSet<>();
    private volatile boolean told;

    /** Adds {@code strand}, and notifies it at once if the spindle has terminated. */
    void add(Strand strand) {
        strands.add(strand);
        if (told) { // read after the strand was added
            tell();
        }
    }

    void remove(Strand strand) {
        boolean unused = strands.remove(strand);
    }

    int size() {
        return strands.size();
    }

    /** Notifies all strands, also those added later, that the spindle has terminated. */
    void tell() {
        told = true;
        for (Strand strand : strands.inOrder()) {
            boolean unused = strands.remove(strand);
            strand.spindleTerminated();
        }
    }
}
