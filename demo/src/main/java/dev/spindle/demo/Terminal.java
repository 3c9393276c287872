// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects whether the output is a terminal. */
public final class Terminal {

    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /**
     * Returns true if the standard error is a terminal, and false on a system without {@code /proc}.
     * {@code System.console()} depends on the standard input and output, and exists without a terminal since JDK 22.
     */
    public static boolean showsErrors() {
        try {
            String target = Files.readSymbolicLink(STDERR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
