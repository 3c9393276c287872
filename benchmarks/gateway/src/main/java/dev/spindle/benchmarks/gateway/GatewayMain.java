// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway;

import dev.spindle.benchmarks.Main;
import dev.spindle.benchmarks.gateway.drive.Tools;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The command line of {@code ./spindle bench gateway}. */
public final class GatewayMain {
    private GatewayMain() {}

    /** Runs the command and ends the process with its exit status; 2 if the load generator is missing. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        boolean measures = Arrays.stream(arguments).noneMatch(List.of("--list", "--help", "-h", "--version")::contains);
        if (measures && !Tools.ensure(new PrintWriter(System.out, true, StandardCharsets.UTF_8))) {
            System.exit(2);
        }
        System.exit(Main.commandLine(List.of(GatewayComparison.comparison())).execute(arguments));
    }
}
