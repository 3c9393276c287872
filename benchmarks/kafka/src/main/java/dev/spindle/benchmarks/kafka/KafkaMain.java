// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import dev.spindle.benchmarks.Main;
import java.util.List;

/** The command line of {@code ./spindle bench kafka}. */
public final class KafkaMain {
    private KafkaMain() {}

    /** Runs the command and ends the process, and its broker, with its exit status. */
    public static void main(String[] arguments) {
        System.exit(Main.commandLine(List.of(KafkaComparison.comparison())).execute(arguments));
    }
}
