// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * A task that carries its key: tasks of one key run one at a time, in the order of their submits. All entry points of a
 * {@link Spindle} respect the key: {@code execute}, {@code submit}, {@code invokeAll}, {@code schedule}. Its lane is
 * that of the key in {@link Spindle#keyed()}, the unnamed key space, and {@link CoalescingTask}s of the key share it.
 */
public interface SequentialTask extends Runnable {
    /**
     * Returns the key, which must not be null. The submitting thread calls this once per submission; an exception
     * reaches the submitter.
     */
    Object key();
}
