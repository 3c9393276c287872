// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.benchmarks.coalesce.CoalesceCommand;
import dev.spindle.benchmarks.handovers.HandoversCommand;
import dev.spindle.benchmarks.keyed.GatlingCommand;
import dev.spindle.benchmarks.keyed.KeysCommand;
import dev.spindle.benchmarks.pipeline.PipelineCommand;
import dev.spindle.benchmarks.pool.DedicatedCommand;
import dev.spindle.benchmarks.pool.PoolCommand;
import dev.spindle.benchmarks.serial.SerialCommand;
import picocli.CommandLine.Command;

/** {@code spindle bench}: the comparisons that run as whole processes, and the search for lost wake-ups. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        header = "Compares executors in processes of their own, and looks for lost wake-ups.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            GatlingCommand.class,
            KeysCommand.class,
            PoolCommand.class,
            DedicatedCommand.class,
            CoalesceCommand.class,
            HandoversCommand.class,
            SerialCommand.class,
            PipelineCommand.class
        })
final class BenchCommand {}
