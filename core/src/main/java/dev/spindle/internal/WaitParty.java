// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A condition that ends a wait, with the lane or thread that makes the condition true. */
public interface WaitParty extends BooleanSupplier {
    /** Returns the lane or thread that has to make the condition true, or null if none is known. */
    @Nullable
    Object party();
}
