// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * A task that carries its key: tasks of one key run one at a time, in the order of their submits. All methods of a
 * {@link Spindle} that accept tasks respect the key, such as {@code execute}, {@code submit}, and {@code schedule}. The
 * task runs in the lane of the key in the {@linkplain Spindle#keyed key space} {@code tasks}. {@link CoalescingTask}s
 * of the key run in the same lane. A wrapper that a completion service or a decorator of the executor puts around the
 * task hides the key: give these the {@linkplain Keyed#at lane} as their executor.
 */
public interface SequentialTask extends Runnable {
    /**
     * Returns the key, which must not be null. The submitting thread calls this method once for each submit. An
     * exception of this method reaches the submitter.
     */
    Object key();
}
