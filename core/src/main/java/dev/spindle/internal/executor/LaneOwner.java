// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.limit.CountedPermits;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The callbacks of the table of lanes to its spindle: create the places of a new lane, and start a sweep. */
final class LaneOwner implements Function<Object, @Nullable CountedPermits>, Runnable {
    private final Spindle spindle;
    private final int capacityPerKey;

    LaneOwner(Spindle spindle, int capacityPerKey) {
        this.spindle = spindle;
        this.capacityPerKey = capacityPerKey;
    }

    @Override
    public @Nullable CountedPermits apply(Object key) {
        Strand strand = Lanes.strandOf(key);
        CountedPermits own = strand == null ? null : strand.places();
        return own != null ? own : CountedPermits.of(capacityPerKey);
    }

    @Override
    public void run() {
        spindle.armSweep();
    }
}
