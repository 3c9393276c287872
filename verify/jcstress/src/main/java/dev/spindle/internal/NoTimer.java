// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** A timer of which only the place in the order matters. */
final class NoTimer extends Timers.Timer {
    @Override
    public void turn(Runner r) {
        throw new AssertionError("nobody fires it");
    }
}
