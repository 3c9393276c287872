// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Subject;

/**
 * How many keys, how many events, how much work each, and in which order.
 *
 * @param increments atomic increments of a counter of its own that each event does, as in the seed's test
 */
record Load(int keys, int events, int increments, Traffic traffic) {
    private static final int FEWEST = 100;
    private static final int LONG_EVENT = 1_000;
    private static final Subject.Scale A_PART = new Subject.Scale(0.2);

    /** The same with fewer events. */
    Load scaled(Subject.Scale scale) {
        return new Load(keys, Math.min(events, scale.of(events, FEWEST)), increments, traffic);
    }

    /** What a pass runs that warms up: all events when they are short, a part when each is long. */
    Load warmUp() {
        return increments >= LONG_EVENT ? scaled(A_PART) : this;
    }
}
