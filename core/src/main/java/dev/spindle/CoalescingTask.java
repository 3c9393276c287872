// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * A task that carries its key and replaces a waiting task of that key. The last one submitted always runs. Its lane is
 * that of the key in {@link Spindle#keyed()}, the unnamed key space.
 *
 * @see Keyed#coalesce(Object, Runnable)
 */
public interface CoalescingTask extends Runnable {
    /**
     * Returns the key, which must not be null. The submitting thread calls this once per submission; an exception
     * reaches the submitter.
     */
    Object key();
}
