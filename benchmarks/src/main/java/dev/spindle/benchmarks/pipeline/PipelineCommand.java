// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.compare.CompareCommand;
import picocli.CommandLine.Command;

/** {@code bench pipeline}: events that pass from stage to stage. */
@Command(
        name = "pipeline",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares ways to send events through stages: Spindle's pipelines, the Disruptor with three ways to wait, and"
                    + " threads with queues between them; and ways to compute Pi from a million slices.",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them."
        })
public final class PipelineCommand extends CompareCommand {
    public PipelineCommand() {
        super(PipelineComparison.comparison());
    }
}
