// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/**
 * A task of the model.
 *
 * @param other the task that it submits or waits for
 * @param then the task that it waits for afterwards, outside {@code callBlocking}
 */
record Task(Kind kind, int other, int then) {
    /** The action of a task. */
    enum Kind {
        PLAIN,
        /** Submits another task, from inside the pool. */
        NESTS,
        /** Waits for another task to end, inside {@code callBlocking}. */
        BLOCKS,
        /** Waits for another task to end, outside {@code callBlocking}. */
        STALLS,
        /** Has two turns, like a lane whose quantum is used up, which is made ready again without a signal. */
        TURNS
    }

    static final Task PLAIN = new Task(Kind.PLAIN, -1, -1);
    static final Task TURNS = new Task(Kind.TURNS, -1, -1);

    static Task nests(int other) {
        return new Task(Kind.NESTS, other, -1);
    }

    static Task blocks(int other) {
        return new Task(Kind.BLOCKS, other, -1);
    }

    static Task blocks(int other, int then) {
        return new Task(Kind.BLOCKS, other, then);
    }

    static Task stalls(int other) {
        return new Task(Kind.STALLS, other, -1);
    }

    @Override
    public String toString() {
        return kind + (other < 0 ? "" : "(" + other + (then < 0 ? "" : ", then " + then) + ")");
    }
}
