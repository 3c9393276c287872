// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.WorkerContext;

/** A timer of which only the place in the order matters. */
public final class NoTimer extends Timers.Timer {
    @Override
    public void turn(WorkerContext r) {
        throw new AssertionError("nobody fires it");
    }
}
