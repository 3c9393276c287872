// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.compare.CompareCommand;
import picocli.CommandLine.Command;

/** {@code bench coalesce}: the latest value of each key, from one and from eight producers. */
@Command(
        name = "coalesce",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares ways to show the latest value of each key: Spindle's Coalescer and its keyed().coalesce, the"
                    + " algorithm of LMAX's coalescing ring buffer, a map with a queue, and the limit.",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them."
        })
public final class CoalesceCommand extends CompareCommand {
    public CoalesceCommand() {
        super(CoalesceComparison.comparison());
    }
}
