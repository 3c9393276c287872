// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.util.List;
import java.util.stream.Collectors;

/** The failure to read settings, with all mistakes of the file. */
public final class MistakesException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Mistake> mistakes;

    /** Creates a failure whose message has a line for each mistake. */
    MistakesException(String file, List<Mistake> mistakes) {
        super(mistakes.stream().map(mistake -> file + ":" + mistake).collect(Collectors.joining("\n")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns the mistakes, in the order of their positions in the file. */
    public List<Mistake> mistakes() {
        return mistakes;
    }

    /**
     * A mistake.
     *
     * @param line the line number, from 1
     * @param column the column number, from 1
     * @param message the error and the valid values
     */
    public record Mistake(int line, int column, String message) {
        @Override
        public String toString() {
            return line + ":" + column + ": " + message;
        }
    }
}
