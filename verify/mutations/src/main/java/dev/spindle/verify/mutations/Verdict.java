// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

/** The result of a mutant's test. */
enum Verdict {
    /** No test failed: the tests do not find the fault. */
    SURVIVED(10),
    /** The test failed, or did not end. */
    KILLED(11),
    /** The test was not found. */
    NOTHING_RAN(12);

    private final int exit;

    Verdict(int exit) {
        this.exit = exit;
    }

    /** Returns the exit status of a child process with this result. */
    int exit() {
        return exit;
    }
}
