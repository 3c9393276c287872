// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** A part of the library whose users wait for one another; registered with a pool's {@link WaitSources}. */
public interface WaitSource {
    /** Adds the waits of now to {@code list}. Called by whoever asks, under no lock. */
    void listWaits(WaitList list);
}
