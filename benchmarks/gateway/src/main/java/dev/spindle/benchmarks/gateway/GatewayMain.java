// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway;

import dev.spindle.benchmarks.Main;
import dev.spindle.benchmarks.gateway.drive.H2load;
import java.util.Arrays;
import java.util.List;

/** The command line of {@code ./spindle bench gateway}. */
public final class GatewayMain {
    private GatewayMain() {}

    /** Runs the command and ends the process with its exit status. A measurement without h2load has exit status 2. */
    public static void main(String[] arguments) {
        boolean measures = Arrays.stream(arguments).noneMatch(List.of("--list", "--help", "-h", "--version")::contains);
        if (measures && H2load.missing()) {
            System.err.println("spindle bench gateway: there is no load generator h2load; install it (Debian, Ubuntu:"
                    + " sudo apt-get install nghttp2-client) and try again.");
            System.exit(2);
        }
        System.exit(Main.commandLine(List.of(GatewayComparison.comparison())).execute(arguments));
    }
}
