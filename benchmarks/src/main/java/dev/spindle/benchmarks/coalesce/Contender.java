// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Who takes part. The order here is the order of the rows. */
enum Contender {
    LIMIT("limit", "limit: an array, shown once at the end", Integer.MAX_VALUE, Peers::array),
    SPINDLE("spindle", "Spindle, Coalescer", Integer.MAX_VALUE, Peers::coalescer),
    SPINDLE_KEYED("spindle-keyed", "Spindle, keyed().coalesce", Integer.MAX_VALUE, Peers::keyed),
    RING("ring", "coalescing ring buffer (LMAX's algorithm, made anew), a thread that polls", 1, Peers::ring),
    MAP_BLOCKING(
            "map-blocking", "map and LinkedBlockingQueue, a thread that waits", Integer.MAX_VALUE, Peers::blocking),
    MAP_POLLING("map-polling", "map and ConcurrentLinkedQueue, a thread that polls", Integer.MAX_VALUE, Peers::polling);

    private final String id;
    private final String title;
    private final int maxProducers;
    private final Subject.Maker maker;

    Contender(String id, String title, int maxProducers, Subject.Maker maker) {
        this.id = id;
        this.title = title;
        this.maxProducers = maxProducers;
        this.maker = maker;
    }

    Subject open(Cell cell, Consumer<Tick> screen) {
        return maker.open(cell, screen);
    }

    /** What {@code --contenders} calls it. */
    String id() {
        return id;
    }

    /** What the report calls it. */
    String title() {
        return title;
    }

    boolean isOurs() {
        return this == SPINDLE || this == SPINDLE_KEYED;
    }

    boolean takesPart(Cell cell) {
        return cell.producers() <= maxProducers;
    }

    static Optional<Contender> named(String id) {
        return Arrays.stream(values())
                .filter(contender -> contender.id.equals(id))
                .findFirst();
    }
}
