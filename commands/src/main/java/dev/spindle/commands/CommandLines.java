// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.commands;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Sets up command lines so that an error is reported in one line, with the invalid value and the remedy. The exit
 * status after an error is 2. An error is caused by an argument, a file or a lack of memory. Any other failure is a
 * bug, which is reported with its stack trace.
 */
public final class CommandLines {
    private CommandLines() {}

    /**
     * Sets up the error reporting of {@code line} and its subcommands, and adds the ranges of numbers to their help.
     * Returns {@code line}.
     */
    public static CommandLine of(CommandLine line) {
        Ranges.describe(line);
        return line.setParameterExceptionHandler((error, arguments) -> refuse(error.getCommandLine(), text(error)))
                .setExecutionExceptionHandler((error, command, parsed) -> refuse(command, text(error)));
    }

    /** Runs a command line and returns its exit status. */
    public static int run(CommandLine line, String... arguments) {
        try {
            return line.execute(arguments);
        } catch (OutOfMemoryError e) {
            return refuse(line, heap());
        }
    }

    private static int refuse(CommandLine command, String what) {
        String name = command.getCommandSpec().qualifiedName();
        String text = what.strip().replaceAll("\\s*\\R\\s*", " ");
        String end = text.endsWith(".") || text.endsWith("?") ? " " : ". ";
        command.getErr().println(name + ": " + text + end + "Try: " + name + " --help");
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String text(ParameterException error) {
        String text = String.valueOf(error.getMessage());
        Range range = error.getArgSpec() == null ? null : Ranges.of(error.getArgSpec());
        if (range != null && !text.contains(Ranges.text(range))) {
            text += "; write a number " + Ranges.text(range);
        }
        List<String> near =
                error instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        return near.isEmpty() ? text : text + "; did you mean " + String.join(" or ", near) + "?";
    }

    /** Returns the message for an error, or rethrows a failure that is a bug. */
    private static String text(Exception error) throws Exception {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError) {
                return heap();
            }
            IOException ofFile = ofFile(cause);
            if (ofFile != null) {
                return text(ofFile);
            }
        }
        throw error;
    }

    private static @Nullable IOException ofFile(Throwable cause) {
        if (cause instanceof UncheckedIOException unchecked) {
            return unchecked.getCause();
        }
        return cause instanceof IOException checked ? checked : null;
    }

    /** Returns the message for an I/O error. The JDK's message for some errors consists only of the file name. */
    public static String text(IOException error) {
        if (error instanceof NoSuchFileException missing) {
            return missing.getFile() + ": there is no such file or folder; name one that exists";
        } else if (error instanceof AccessDeniedException denied) {
            return denied.getFile() + ": access is denied; name another";
        } else if (error instanceof FileAlreadyExistsException exists) {
            return exists.getFile() + ": it exists and is no folder; name another";
        } else if (error instanceof FileSystemException other && other.getReason() != null) {
            return other.getFile() + ": " + other.getReason() + "; name another";
        }
        return error.toString();
    }

    private static String heap() {
        return "the heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                + " MiB is too small for these numbers; lower them, or give the JVM more: SPINDLE_JAVA_OPTS=-Xmx4g";
    }
}
