// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Who takes part. The order here is the order of the rows. */
enum Contender {
    LIMIT("limit", "limit: an array, shown once at the end", Integer.MAX_VALUE),
    SPINDLE("spindle", "Spindle, Coalescer", Integer.MAX_VALUE),
    SPINDLE_KEYED("spindle-keyed", "Spindle, keyed().coalesce", Integer.MAX_VALUE),
    RING("ring", "coalescing ring buffer (LMAX's algorithm, made anew), a thread that polls", 1),
    MAP_BLOCKING("map-blocking", "map and LinkedBlockingQueue, a thread that waits", Integer.MAX_VALUE),
    MAP_POLLING("map-polling", "map and ConcurrentLinkedQueue, a thread that polls", Integer.MAX_VALUE);

    private final String id;
    private final String title;
    private final int maxProducers;

    Contender(String id, String title, int maxProducers) {
        this.id = id;
        this.title = title;
        this.maxProducers = maxProducers;
    }

    /** Sets the contender up to show the latest ticks to {@code screen}, never two of one key at once. */
    Subject open(Cell cell, Consumer<Tick> screen) {
        return switch (this) {
            case LIMIT -> Peers.array(cell, screen);
            case SPINDLE -> Peers.coalescer(cell, screen);
            case SPINDLE_KEYED -> Peers.keyed(cell, screen);
            case RING -> Peers.ring(cell, screen);
            case MAP_BLOCKING -> Peers.blocking(cell, screen);
            case MAP_POLLING -> Peers.polling(cell, screen);
        };
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
