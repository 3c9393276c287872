// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The condition that ends a wait for a known lane or thread. */
public interface WaitParty extends BooleanSupplier {
    /** Returns the lane or the thread that has to make the condition true, or null if it is not known. */
    @Nullable
    Object party();
}
