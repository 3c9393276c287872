// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.commands;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** A command that checks the {@linkplain Range ranges} of its numeric options before it runs. */
public abstract class ConsoleCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    /** Runs the command and returns its exit status. */
    protected abstract int run() throws Exception;

    @Override
    public final Integer call() throws Exception {
        Ranges.check(spec());
        return run();
    }

    /** Returns the writer for results. */
    protected final PrintWriter out() {
        return spec().commandLine().getOut();
    }

    /** Returns the writer for error messages. */
    protected final PrintWriter err() {
        return spec().commandLine().getErr();
    }

    /** Returns the commands below this one, by their names, in the order of their declaration. */
    protected final Map<String, CommandLine> programs() {
        return spec().subcommands();
    }

    /** Returns true if the command was started with the option {@code --dashboard} of {@link Dashboards}. */
    protected final boolean hasDashboards() {
        ParseResult parsed = spec().commandLine().getParseResult();
        return parsed != null && parsed.hasMatchedOption(Dashboards.NAME);
    }

    /** Returns an exception that reports an invalid combination of arguments. */
    protected final ParameterException usage(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    /** Returns an exception that reports an invalid value; the reason contains the remedy. */
    protected final ParameterException wrong(String option, Object value, String reason) {
        return usage("Invalid value for option '" + option + "': '" + value + "' " + reason);
    }

    /** Throws an exception if {@code file} is not null and cannot be written. */
    protected final void requireWritable(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw wrong(option, file, "is a folder; name a file in it");
        } else if (Files.exists(file)
                ? !Files.isWritable(file)
                : folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw wrong(option, file, "cannot be written; name a file in a folder that exists and can be written");
        }
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec, "run this through picocli's CommandLine");
    }
}
