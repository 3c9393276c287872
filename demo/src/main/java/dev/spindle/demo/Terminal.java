// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether a person is likely to watch. */
final class Terminal {

    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /**
     * Whether the standard error is a terminal. {@code System.console()} cannot say: it asks about input and output,
     * and from JDK 22 on it is there without any terminal. Where there is no {@code /proc}, the answer is no.
     */
    static boolean showsErrors() {
        try {
            String target = Files.readSymbolicLink(STDERR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
