// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import org.jspecify.annotations.Nullable;

/** What the outcome of a call goes to: the future of its caller, or its place in a scatter-gather. */
interface Receiver<A extends @Nullable Object> {
    /** Takes the outcome; false if there is no use for it any more. */
    boolean settle(Outcome<A> outcome);
}
