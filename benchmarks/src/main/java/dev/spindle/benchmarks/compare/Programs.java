// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Small programs of the system that a measurement may need. */
public final class Programs {
    private static final int LIMIT_SECONDS = 10;

    private Programs() {}

    /** Returns true if a program exists and succeeds within some seconds. */
    public static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return false; // the program does not exist
        }
    }
}
