// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.config.MistakesException;
import java.util.List;
import java.util.Objects;

/** Thrown if a route file has mistakes. The message has a line for each mistake. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Mistake> mistakes;

    ConfigException(MistakesException found) {
        super(found.getMessage());
        mistakes = found.mistakes().stream()
                .map(one -> new Mistake(one.line(), one.column(), one.message()))
                .toList();
    }

    /** Returns the mistakes, in the order of their positions in the file; null after deserialization. */
    public List<Mistake> mistakes() {
        return mistakes;
    }

    /** A mistake. */
    public static final class Mistake {
        private final int line;
        private final int column;
        private final String message;

        Mistake(int line, int column, String message) {
            this.line = line;
            this.column = column;
            this.message = Objects.requireNonNull(message, "message");
        }

        /** Returns the line number, from 1. */
        public int line() {
            return line;
        }

        /** Returns the column number, from 1. */
        public int column() {
            return column;
        }

        /** Returns the error and the valid values. */
        public String message() {
            return message;
        }

        /** Returns the line, the column and the message. */
        @Override
        public String toString() {
            return line + ":" + column + ": " + message;
        }
    }
}
