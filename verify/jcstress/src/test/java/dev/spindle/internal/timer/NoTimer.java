// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.WorkerContext;

/** A timer that never fires; only its time matters. */
public final class NoTimer extends Timers.Timer {
    @Override
    public void turn(WorkerContext r) {
        throw new AssertionError("it must not fire");
    }
}
