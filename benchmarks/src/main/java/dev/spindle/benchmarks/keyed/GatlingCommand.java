// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.CompareCommand;
import picocli.CommandLine.Command;

/**
 * {@code bench gatling}: events from many sources, in order per source, by Spindle, by its peers and by plain threads
 * without any queue.
 */
@Command(
        name = "gatling",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares ways to keep events in order per key: Spindle, one thread per key, four libraries that share"
                    + " their threads, one that hashes keys onto threads, and the limit (plain threads, no queue).",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them."
        })
public final class GatlingCommand extends CompareCommand {
    public GatlingCommand() {
        super(KeyedComparison.comparison());
    }
}
