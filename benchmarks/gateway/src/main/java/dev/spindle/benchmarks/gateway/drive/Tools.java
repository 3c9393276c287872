// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.forks.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The programs that make load. Those that are missing are installed where this is Debian or its like and it is allowed.
 */
public final class Tools {
    private static final Map<String, String> PACKAGES = packages();
    private static final int INSTALL_MINUTES = 5;

    private Tools() {}

    private static Map<String, String> packages() {
        Map<String, String> packages = new LinkedHashMap<>();
        packages.put("wrk", "wrk");
        packages.put("h2load", "nghttp2-client");
        return packages;
    }

    /** The packages of the programs that are not there. */
    public static List<String> missing() {
        List<String> missing = new ArrayList<>();
        PACKAGES.forEach((program, itsPackage) -> {
            if (!Programs.succeeds("sh", "-c", "command -v " + program)) {
                missing.add(itsPackage);
            }
        });
        return missing;
    }

    /** Installs what is missing; returns whether all is there, and says what to do where it is not. */
    public static boolean ensure(PrintWriter console) throws IOException, InterruptedException {
        List<String> missing = missing();
        if (missing.isEmpty()) {
            return true;
        }
        List<String> install = new ArrayList<>();
        if (!Programs.succeeds("sh", "-c", "test \"$(id -u)\" = 0")) {
            install.addAll(List.of("sudo", "-n"));
        }
        install.addAll(List.of("apt-get", "install", "-y", "-q", "--no-install-recommends"));
        install.addAll(missing);
        String command = String.join(" ", install);
        console.println("Missing: " + String.join(", ", missing) + ". Trying: " + command);
        console.flush();
        boolean possible = Programs.succeeds("sh", "-c", "command -v apt-get")
                && (install.get(0).equals("apt-get") || Programs.succeeds("sudo", "-n", "true"));
        if (possible && !runs(install)) {
            List<String> update = new ArrayList<>(install.subList(0, install.indexOf("apt-get") + 1));
            update.add("update");
            possible = runs(update) && runs(install);
        }
        if (possible && missing().isEmpty()) {
            return true;
        }
        console.println("That cannot be done here. The comparison needs the load generators wrk and h2load: install the"
                + " packages " + String.join(" and ", missing) + " (Debian, Ubuntu: sudo apt-get install "
                + String.join(" ", missing) + "), then try again.");
        console.flush();
        return false;
    }

    private static boolean runs(List<String> command) throws IOException, InterruptedException {
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
