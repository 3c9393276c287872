// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import org.jspecify.annotations.Nullable;

/** Threads that take steps, one at a time in any order. A state is an array of bytes that is never changed. */
interface Model {
    /** Receives the result of a step. */
    interface Steps {
        /**
         * Takes a step.
         *
         * @param sure whether the step is certain to happen if no other step does
         */
        void to(byte[] state, int thread, boolean sure);
    }

    byte[] initial();

    /** Passes every state that one step of one thread leads to. */
    void next(byte[] state, Steps steps);

    /** Returns one state for all that differ from this one only in names. */
    byte[] canonical(byte[] state);

    /** Returns true if the state is a good end. From every state a good end must be within reach by sure steps. */
    boolean isGoodEnd(byte[] state);

    /** Returns the fault of a state, whatever follows it, or null. */
    @Nullable
    String fault(byte[] state);

    /** Describes a state and the place of {@code thread} in one line. */
    String text(byte[] state, int thread);
}
