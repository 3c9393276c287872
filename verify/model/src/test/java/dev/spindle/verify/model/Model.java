// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import org.jspecify.annotations.Nullable;

/** Threads that take steps, one at a time in any order. A state is an array of bytes that nobody changes. */
interface Model {
    /** Takes what a step leads to. */
    interface Steps {
        /**
         * Takes a step.
         *
         * @param sure whether it may be relied on: it happens at last if nothing else does
         */
        void to(byte[] state, int thread, boolean sure);
    }

    byte[] initial();

    /** Hands over every state that one step of one thread leads to. */
    void next(byte[] state, Steps steps);

    /** Returns one state for all that differ from this one in names alone. */
    byte[] canonical(byte[] state);

    /** Whether this is how it should end. From every state such an end must be within reach of sure steps. */
    boolean isGoodEnd(byte[] state);

    /** Returns what is wrong with a state, whatever comes after it; null when nothing is. */
    @Nullable
    String fault(byte[] state);

    /** Describes a state, and where {@code thread} is in it, in one line. */
    String text(byte[] state, int thread);
}
