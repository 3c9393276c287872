// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A program that runs, prints a line of figures, and says whether all was right. */
public abstract class Example implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

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
    protected abstract Outcome run() throws Exception;

    /** Runs an example as a program of its own, and ends the process with its exit status. */
    protected static void start(Example example, String[] arguments) {
        System.exit(new CommandLine(example).execute(arguments));
    }

    @Override
    public final Integer call() throws Exception {
        long begin = System.nanoTime();
        Outcome outcome = run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        PrintWriter out = spec().commandLine().getOut();
        out.printf(Locale.ROOT, "%s in %.2f s.%n", outcome.figures(), seconds);
        out.println(outcome.fault() == null ? "PASSED: " + outcome.right() : "FAILED: " + outcome.fault());
        out.flush();
        return outcome.fault() == null ? 0 : 1;
    }

    /** Refuses an option. */
    protected final void requireAtLeast(int least, String option, int value) {
        if (value < least) {
            throw new ParameterException(
                    spec().commandLine(), option + " must be at least " + least + ", was " + value);
        }
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec, "run this through picocli's CommandLine");
    }
}
