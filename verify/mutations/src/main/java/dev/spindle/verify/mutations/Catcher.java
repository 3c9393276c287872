// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.Locale;

/**
 * A test that must fail.
 *
 * @param kind how it is run
 * @param name a class; for JUnit and Lincheck perhaps with {@code #method}; below {@code dev.spindle}
 */
record Catcher(Kind kind, String name) {
    /** How a test is run; the quickest first. */
    enum Kind {
        /** By JUnit. */
        TEST(6, 60),
        /** By JUnit, with what Lincheck needs of the JVM. */
        LINCHECK(20, 300),
        /** By jcstress. */
        JCSTRESS(14, 120);

        private final int seconds;
        private final int limitSeconds;

        Kind(int seconds, int limitSeconds) {
            this.seconds = seconds;
            this.limitSeconds = limitSeconds;
        }

        /** Returns about how long a mutant takes on two processors. */
        int seconds() {
            return seconds;
        }

        /** Returns after how long a test counts as one that does not end: several times what the slowest takes. */
        int limitSeconds() {
            return limitSeconds;
        }
    }

    /** Returns the name of the class or the method. */
    String fullName() {
        return "dev.spindle." + name;
    }

    @Override
    public String toString() {
        return name + " (" + kind.name().toLowerCase(Locale.ROOT) + ")";
    }
}
