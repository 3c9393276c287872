// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.OrderedSet;

/**
 * The strands of a spindle whose termination is awaited, which the spindle notifies when it terminates. A strand that
 * has terminated is removed, so that the spindle does not keep it reachable.
 */
public final class AwaitedStrands {
    private final OrderedSet<LaneOwner> strands = new OrderedSet<>();
    private volatile boolean told;

    /** Adds {@code strand}, and notifies it at once if the spindle has terminated. */
    public void add(LaneOwner strand) {
        strands.add(strand);
        if (told) { // read after the strand was added
            tell();
        }
    }

    /** Removes {@code strand}, which has terminated. */
    public void remove(LaneOwner strand) {
        boolean unused = strands.remove(strand);
    }

    /** Returns how many strands are waited for. */
    public int size() {
        return strands.size();
    }

    /** Notifies all strands, also those added later, that the spindle has terminated. */
    public void tell() {
        told = true;
        for (LaneOwner strand : strands.inOrder()) {
            boolean unused = strands.remove(strand);
            strand.listener().spindleTerminated();
        }
    }
}
