// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A traffic to coalesce.
 *
 * @param name what {@code --cells} calls it
 * @param keys how many keys; each update picks one at random
 * @param producers how many threads send updates
 * @param updates how many, of all producers together
 * @param limit a pass ends after this time, with fewer updates
 */
record Cell(String name, int keys, int producers, long updates, Duration limit) {
    private static final long UPDATES = 100_000_000;
    private static final Duration LIMIT = Duration.ofSeconds(4);

    static final Cell K10_P1 = new Cell("k10-p1", 10, 1, UPDATES, LIMIT);
    static final Cell K10000_P1 = new Cell("k10000-p1", 10_000, 1, UPDATES, LIMIT);
    static final Cell K10_P8 = new Cell("k10-p8", 10, 8, UPDATES, LIMIT);
    static final Cell K10000_P8 = new Cell("k10000-p8", 10_000, 8, UPDATES, LIMIT);

    static final List<Cell> ALL = List.of(K10_P1, K10000_P1, K10_P8, K10000_P8);

    String title() {
        return String.format(Locale.ROOT, "%,d keys, %d producer%s", keys, producers, producers == 1 ? "" : "s");
    }

    /** The same traffic with fewer updates. */
    Cell of(long fewer, Duration shorter) {
        return new Cell(name, keys, producers, fewer, shorter);
    }

    static Optional<Cell> named(String name) {
        return ALL.stream().filter(cell -> cell.name.equals(name)).findFirst();
    }
}
