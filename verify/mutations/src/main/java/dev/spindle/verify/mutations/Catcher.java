// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.Locale;

/**
 * A test that must fail on a mutant.
 *
 * @param kind the tool that runs the test
 * @param name a class below the package {@code dev.spindle}; for JUnit and Lincheck, {@code #method} may follow
 */
record Catcher(Kind kind, String name) {
    /** The tools that run tests, fastest first. */
    enum Kind {
        /** The test is run by JUnit. */
        TEST(6, 60),
        /** The test is run by JUnit with the JVM options of Lincheck. */
        LINCHECK(20, 300),
        /** The test is run by jcstress. */
        JCSTRESS(14, 120);

        private final int seconds;
        private final int limitSeconds;

        Kind(int seconds, int limitSeconds) {
            this.seconds = seconds;
            this.limitSeconds = limitSeconds;
        }

        /** Returns the approximate time of one test on two processors. */
        int seconds() {
            return seconds;
        }

        /** Returns the time after which a test is stopped as hanging. */
        int limitSeconds() {
            return limitSeconds;
        }
    }

    String fullName() {
        return "dev.spindle." + name;
    }

    @Override
    public String toString() {
        return name + " (" + kind.name().toLowerCase(Locale.ROOT) + ")";
    }
}
