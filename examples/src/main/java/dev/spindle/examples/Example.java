// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples;

import dev.spindle.commands.CommandLines;
import dev.spindle.commands.ConsoleCommand;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** A program that runs, prints a line of figures, and says whether all was right. */
public abstract class Example extends ConsoleCommand {
    /**
     * How a run ended.
     *
     * @param figures what was done
     * @param right what holds when all is right
     * @param fault what does not hold, or null
     */
    public record Outcome(
            String figures, String right, @Nullable String fault) {}

    /** Does what the example is about. */
    protected abstract Outcome act() throws Exception;

    /** Runs an example as a program of its own, and ends the process with its exit status. */
    protected static void start(Example example, String[] arguments) {
        System.exit(CommandLines.run(CommandLines.of(new CommandLine(example)), arguments));
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
