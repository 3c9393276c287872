// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

/** The check of the stack that actors make. */
public final class Headroom {
    private Headroom() {}

    /** Throws a {@link StackOverflowError} if the caller is near the end of its stack, before any state has changed. */
    public static void require() {
        dev.spindle.internal.Headroom.requireTwice();
    }
}
