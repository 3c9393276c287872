// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * A task that carries its key and replaces the waiting coalescing task of that key. The task that was submitted last
 * always runs. The task runs in the lane of the key in the {@linkplain Spindle#keyed key space} {@code tasks}.
 *
 * @see Keyed#coalesce(Object, Runnable)
 */
public interface CoalescingTask extends Runnable {
    /**
     * Returns the key, which must not be null. The submitting thread calls this method once for each submit. An
     * exception of this method reaches the submitter.
     */
    Object key();
}
