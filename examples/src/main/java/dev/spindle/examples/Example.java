// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples;

import dev.spindle.commands.CommandLines;
import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Dashboards;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** A program that prints a summary of its work and the result of its check. */
public abstract class Example extends ConsoleCommand {
    /**
     * The outcome of a run.
     *
     * @param figures a summary of the work
     * @param right the property that the run has checked
     * @param fault a description of the violation, or null if there is none
     */
    public record Outcome(
            String figures, String right, @Nullable String fault) {}

    /** Runs the example once, and prints a line for each {@link #step}. */
    protected abstract Outcome act() throws Exception;

    /** Prints what the example does next or has found. Any thread may call this method. */
    protected final void step(String text) {
        PrintWriter out = out();
        synchronized (out) {
            out.println("- " + text);
            out.flush();
        }
    }

    /** Prints a step that is formatted as {@link String#format} does. */
    @SuppressWarnings("AnnotateFormatMethod")
    protected final void step(String format, Object... arguments) {
        step(String.format(Locale.ROOT, format, arguments));
    }

    /** Runs an example as a program of its own, which ends with the exit status. */
    protected static void start(Example example, String[] arguments) {
        System.exit(CommandLines.run(Dashboards.addTo(CommandLines.of(new CommandLine(example))), arguments));
    }

    @Override
    protected final int run() throws Exception {
        long begin = System.nanoTime();
        Outcome outcome = act();
        double seconds = (System.nanoTime() - begin) / 1e9;
        PrintWriter out = out();
        out.printf(Locale.ROOT, "%s in %.2f s.%n", outcome.figures(), seconds);
        out.println(outcome.fault() == null ? "PASSED: " + outcome.right() : "FAILED: " + outcome.fault());
        out.flush();
        return outcome.fault() == null ? 0 : 1;
    }
}
