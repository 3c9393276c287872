// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

/** Thrown if a contender does not finish its work. */
public final class StalledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StalledException(String message) {
        super(message);
    }
}
