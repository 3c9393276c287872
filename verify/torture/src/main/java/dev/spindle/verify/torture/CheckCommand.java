// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.commands.ConsoleCommand;

/** A command that searches for broken promises. */
public abstract class CheckCommand extends ConsoleCommand {
    /** Returns a description of the machine and the JVM. */
    protected static String machine() {
        return "Java " + Runtime.version() + " on " + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ".";
    }
}
