// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The load generator h2load, which is installed if it is missing and apt-get may install it. */
public final class Tools {
    private static final String PACKAGE = "nghttp2-client";
    private static final int INSTALL_MINUTES = 5;

    private Tools() {}

    public static boolean missing() {
        return !Programs.succeeds("sh", "-c", "command -v h2load");
    }

    /** Installs what is missing; returns true if all is there, and else prints what to do. */
    public static boolean ensure(PrintWriter console) throws IOException, InterruptedException {
        if (!missing()) {
            return true;
        }
        boolean root = Programs.succeeds("sh", "-c", "test \"$(id -u)\" = 0");
        List<String> apt = root ? List.of("apt-get") : List.of("sudo", "-n", "apt-get");
        if (Programs.succeeds("sh", "-c", "command -v apt-get") && (root || Programs.succeeds("sudo", "-n", "true"))) {
            console.println("Installing " + PACKAGE + ", for h2load");
            console.flush();
            if (!runs(apt, "install", "-y", "-q", "--no-install-recommends", PACKAGE)) {
                runs(apt, "update");
                runs(apt, "install", "-y", "-q", "--no-install-recommends", PACKAGE);
            }
        }
        if (missing()) {
            console.println("The comparison needs the load generator h2load: install the package " + PACKAGE
                    + " (Debian, Ubuntu: sudo apt-get install " + PACKAGE + "), then try again.");
            console.flush();
        }
        return !missing();
    }

    private static boolean runs(List<String> apt, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(apt);
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
        Process process = builder.start();
        try {
            return process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }
}
