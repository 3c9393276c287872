// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.Locale;

/**
 * A test that must fail.
 *
 * @param kind how it is run
 * @param name a class; for {@link Kind#TEST} perhaps with {@code #method}; below {@code dev.spindle}
 */
record Catcher(Kind kind, String name) {
    /** How a test is run. */
    enum Kind {
        /** By JUnit. */
        TEST,
        /** By JUnit, with what Lincheck needs of the JVM. */
        LINCHECK,
        /** By jcstress. */
        JCSTRESS
    }

    @Override
    public String toString() {
        return name + " (" + kind.name().toLowerCase(Locale.ROOT) + ")";
    }
}
