// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.Locale;

/**
 * What a cell asks.
 *
 * @param shownNanos how long the consumer computes for each update that it is shown
 */
record Load(int keys, int producers, long shownNanos) {
    String name() {
        return "k" + keys + "-p" + producers + (shownNanos > 0 ? "-slow" : "");
    }

    String title() {
        String consumer =
                shownNanos > 0 ? String.format(Locale.ROOT, ", a consumer that takes %,d ns", shownNanos) : "";
        return String.format(Locale.ROOT, "%,d keys, %d producer%s", keys, producers, producers == 1 ? "" : "s")
                + consumer;
    }
}
