// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * A task of which only the latest of its key needs to run: submitted while another one of the key waits, it takes that
 * one's place. The last one submitted always runs. Its lane is the key's in {@link Spindle#keyed()}, the key space
 * without a name.
 *
 * @see Keyed#coalesce(Object, Runnable)
 */
public interface CoalescingTask extends Runnable {
    /**
     * Returns the key, never null. Called once for each submission, by the submitting thread; what it throws reaches
     * the submitter.
     */
    Object key();
}
