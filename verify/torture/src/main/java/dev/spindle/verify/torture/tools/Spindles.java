// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;

/** Builders of the executors under test. */
public final class Spindles {
    private static volatile boolean virtual;

    private Spindles() {}

    /** Gives all executors that are built from now on virtual auxiliary threads. */
    public static void useVirtualThreads() {
        virtual = true;
    }

    /** Returns a new builder. */
    public static SpindleBuilder builder() {
        return Spindle.builder().virtualThreads(virtual);
    }
}
