// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The values of a {@link WaitEdge}. */
public record WaitView(
        Activity from,
        Activity to,
        Kind kind,
        Duration age,
        @Nullable Duration timeout,
        boolean isCyclic) implements WaitEdge {
    @Override
    public String toString() {
        return from.owner() + " waits for " + to.owner() + " (" + kind + ", " + age
                + (isCyclic ? ", in a cycle)" : ")");
    }
}
