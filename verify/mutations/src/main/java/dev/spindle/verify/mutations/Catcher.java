// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.Locale;

/**
 * A test that must fail.
 *
 * @param kind the tool that runs it
 * @param name a class below {@code dev.spindle}; for JUnit and Lincheck optionally with {@code #method}
 */
record Catcher(Kind kind, String name) {
    /** The tools that run tests, the quickest first. */
    enum Kind {
        /** By JUnit. */
        TEST(6, 60),
        /** By JUnit, with the JVM options of Lincheck. */
        LINCHECK(20, 300),
        /** By jcstress. */
        JCSTRESS(14, 120);

        private final int seconds;
        private final int limitSeconds;

        Kind(int seconds, int limitSeconds) {
            this.seconds = seconds;
            this.limitSeconds = limitSeconds;
        }

        /** Returns the approximate time of a mutant on two processors. */
        int seconds() {
            return seconds;
        }

        /** Returns the time after which a test counts as hanging: several times that of the slowest. */
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
