// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.CompareCommand;
import picocli.CommandLine.Command;

/** {@code bench serial}: tasks of many threads that run one after the other. */
@Command(
        name = "serial",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares executors that run tasks one after the other: strands of Spindle's, on a pool and with a thread of"
                    + " their own, executors with one thread, and sequences on a pool.",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them."
        })
public final class SerialCommand extends CompareCommand {
    public SerialCommand() {
        super(SerialComparison.comparison());
    }
}
