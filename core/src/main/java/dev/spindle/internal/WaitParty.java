// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The end of a wait for something that a known party has to do. */
public interface WaitParty extends BooleanSupplier {
    /** Returns the lane or the thread that has to act, or null if it is not known. */
    @Nullable
    Object party();
}
