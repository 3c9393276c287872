// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * A task that carries its own key: tasks of one key run one at a time, in the order they were submitted. It keeps its
 * key through every entry point of a {@link Spindle}: {@code execute}, {@code submit}, {@code invokeAll}, {@code
 * schedule}. It is the same lane that {@link Spindle#keyed()}, the key space without a name, and {@link CoalescingTask}
 * use for that key.
 */
public interface SequentialTask extends Runnable {
    /**
     * Returns the key, never null. Called once for each submission, by the submitting thread; what it throws reaches
     * the submitter.
     */
    Object key();
}
