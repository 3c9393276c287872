// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/**
 * Thrown for flight data that cannot be replayed, or that {@code --strict} refuses. The message is shown to the user.
 */
public final class DataException extends Exception {

    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }
}
