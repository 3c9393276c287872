// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What commands that look for broken promises have in common: where they print, and how they refuse an option. */
public abstract class CheckCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    /** Where all output goes. */
    protected final PrintWriter console() {
        return command().commandLine().getOut();
    }

    /** Says what all this runs on. */
    protected static String machine() {
        return "Java " + Runtime.version() + " on " + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ".";
    }

    /** An option that makes no sense: picocli prints the message and the help, and ends with 2. */
    protected final ParameterException usage(String message) {
        return new ParameterException(command().commandLine(), message);
    }

    private CommandSpec command() {
        return Objects.requireNonNull(spec, "run this through picocli's CommandLine");
    }
}
