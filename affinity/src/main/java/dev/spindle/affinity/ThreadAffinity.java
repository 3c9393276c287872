// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;

/** The system's assignment of threads to cores. */
interface ThreadAffinity {
    /** Returns the cores that the calling thread may run on; empty if the system does not report them. */
    BitSet allowed();

    /**
     * Makes the calling thread run only on these cores.
     *
     * @throws RuntimeException if the system refuses
     */
    void allow(BitSet cores);
}
