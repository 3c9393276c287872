// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

/** The result of a test on a mutant. */
enum Verdict {
    /** No test failed, so the fault was not detected. */
    SURVIVED(10),
    /** The test failed or did not end. */
    KILLED(11),
    /** No test ran. */
    NOTHING_RAN(12);

    private final int exit;

    Verdict(int exit) {
        this.exit = exit;
    }

    /** Returns the exit status that reports this result. */
    int exit() {
        return exit;
    }
}
