// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;

/** On which cores a thread may run, as the system knows it. */
interface ThreadAffinity {
    /** Returns the cores that the calling thread may run on; none where the system does not tell. */
    BitSet allowed();

    /**
     * Has the calling thread run on these cores alone.
     *
     * @throws RuntimeException if the system refuses
     */
    void allow(BitSet cores);
}
