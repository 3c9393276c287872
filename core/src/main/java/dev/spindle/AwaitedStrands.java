// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.OrderedSet;

/**
 * The strands of a spindle whose termination is waited for, and which therefore have to be told of the spindle's. One
 * that has terminated leaves: the spindle does not keep it.
 */
final class AwaitedStrands {
    private final OrderedSet<Strand> strands = new OrderedSet<>();
    private volatile boolean told;

    /** Adds {@code strand}, or tells it at once. */
    void add(Strand strand) {
        strands.add(strand);
        if (told) { // read after the strand can be found
            tell();
        }
    }

    void remove(Strand strand) {
        boolean unused = strands.remove(strand);
    }

    int size() {
        return strands.size();
    }

    /** Tells all, and those to come, that the spindle has terminated. */
    void tell() {
        told = true;
        for (Strand strand : strands.inOrder()) {
            boolean unused = strands.remove(strand);
            strand.spindleTerminated();
        }
    }
}
