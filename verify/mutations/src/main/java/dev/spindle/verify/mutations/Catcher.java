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
        TEST(6),
        /** By JUnit, with what Lincheck needs of the JVM. */
        LINCHECK(10),
        /** By jcstress. */
        JCSTRESS(14);

        private final int seconds;

        Kind(int seconds) {
            this.seconds = seconds;
        }

        /** Returns about how long a mutant takes on two processors. */
        int seconds() {
            return seconds;
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
