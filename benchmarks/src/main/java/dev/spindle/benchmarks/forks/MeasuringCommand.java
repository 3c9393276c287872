// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands have in common: where they print, and how they refuse an option. */
public abstract class MeasuringCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    /** Where all output goes. */
    protected final PrintWriter console() {
        return command().commandLine().getOut();
    }

    /** An option that makes no sense: picocli prints the message and the help, and ends with 2. */
    protected final ParameterException usage(String message) {
        return new ParameterException(command().commandLine(), message);
    }

    private CommandSpec command() {
        if (spec == null) {
            throw new IllegalStateException("run this through picocli's CommandLine");
        }
        return spec;
    }
}
