// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.util.List;
import java.util.Optional;

/**
 * One row of the comparison: how many keys, how many events, how much work each, and in which order.
 *
 * @param name what {@code --cells} calls it
 * @param title what the report calls it
 * @param increments atomic increments of a counter of its own that each event does, as in the seed's test
 */
record Cell(String name, String title, int keys, int events, int increments, Traffic traffic) {
    static final Cell SEED =
            new Cell("seed", "16 sources x 50,000 events, 1,000 increments", 16, 800_000, 1_000, Traffic.ROUND_ROBIN);
    static final Cell K16_W0 = new Cell("k16-w0", "16 keys, 0 increments", 16, 300_000, 0, Traffic.ROUND_ROBIN);
    static final Cell K16_W20 = new Cell("k16-w20", "16 keys, 20 increments", 16, 300_000, 20, Traffic.ROUND_ROBIN);
    static final Cell K1000_UNIFORM =
            new Cell("k1000-uniform", "1,000 keys uniform, 20 increments", 1_000, 300_000, 20, Traffic.UNIFORM);
    static final Cell K1000_ZIPF =
            new Cell("k1000-zipf", "1,000 keys Zipf, 20 increments", 1_000, 300_000, 20, Traffic.ZIPF);
    static final Cell K100000_UNIFORM =
            new Cell("k100000-uniform", "100,000 keys uniform, 20 increments", 100_000, 300_000, 20, Traffic.UNIFORM);
    static final Cell K100000_ZIPF =
            new Cell("k100000-zipf", "100,000 keys Zipf, 20 increments", 100_000, 300_000, 20, Traffic.ZIPF);

    /** One key sleeps for a second while the others get a task every millisecond: who is late? */
    static final Cell BLOCKED =
            new Cell("blocked", "one of 16 keys blocked for a second", 16, 1_000, 0, Traffic.ROUND_ROBIN);

    static final List<Cell> ALL =
            List.of(SEED, K16_W0, K16_W20, K1000_UNIFORM, K1000_ZIPF, K100000_UNIFORM, K100000_ZIPF, BLOCKED);

    /** Whether this cell measures delays behind a blocked key instead of throughput. */
    boolean blocks() {
        return name.equals(BLOCKED.name);
    }

    /** The same cell with a fraction of its events, but never fewer than one per thousand keys or a hundred in all. */
    Cell scaled(double factor) {
        int fewer = (int) Math.max(Math.max(100, keys / 1_000), events * factor);
        return new Cell(name, title, keys, Math.min(events, fewer), increments, traffic);
    }

    /** What a warm-up pass runs: all events when they are short, a part when each is long. */
    Cell warmUp() {
        return increments >= 1_000 ? scaled(0.2) : this;
    }

    static Optional<Cell> named(String name) {
        return ALL.stream().filter(cell -> cell.name.equals(name)).findFirst();
    }

    @Override
    public String toString() {
        return name;
    }
}
