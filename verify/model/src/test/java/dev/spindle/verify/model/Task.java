// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/**
 * A task of the model.
 *
 * @param other the task that it submits or waits for
 */
record Task(Kind kind, int other) {
    /** What a task does. */
    enum Kind {
        PLAIN,
        /** Submits another task, from inside the pool. */
        NESTS,
        /** Waits for another task to end, inside {@code Blocking.call}. */
        BLOCKS,
        /** Waits for another task to end, without a word. */
        STALLS
    }

    static final Task PLAIN = new Task(Kind.PLAIN, 0);

    static Task nests(int other) {
        return new Task(Kind.NESTS, other);
    }

    static Task blocks(int other) {
        return new Task(Kind.BLOCKS, other);
    }

    static Task stalls(int other) {
        return new Task(Kind.STALLS, other);
    }
}
