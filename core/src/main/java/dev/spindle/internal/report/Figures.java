// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import dev.spindle.Stats;

/** Counts of an executor. */
public record Figures(
        String name,
        long accepted,
        long completed,
        long failed,
        long rejected,
        long dropped,
        long superseded,
        long overdrafts,
        long pending,
        int running,
        int capacity,
        int maxConcurrency)
        implements Stats {
    /** Returns this object. A caller that has only the interface loads no class of reports when it is verified. */
    public Stats asStats() {
        return this;
    }
}
