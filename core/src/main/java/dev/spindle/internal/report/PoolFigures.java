// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import dev.spindle.SpindleStats;

/** Counts of a spindle. */
public record PoolFigures(
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
        int maxConcurrency,
        int threads,
        int idleThreads,
        int blockedThreads,
        int peakThreads,
        int coreThreads,
        int maxThreads,
        int ready,
        int keys,
        long wakeUps,
        long steals,
        long growthEpisodes,
        long handlerFailures)
        implements SpindleStats {
    /** Returns this object. A caller that has only the interface loads no class of reports when it is verified. */
    public SpindleStats asStats() {
        return this;
    }
}
