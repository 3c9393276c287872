// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.executors.Contenders;
import dev.spindle.benchmarks.messages.Updates.Feed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cells that measure conflation by key. The goal, MSG11, is in {@code goals/coalesce.txt}. */
public final class CoalesceComparison {
    private static final Effort EFFORT = Effort.millis(2_000, 4_000, Updates.LIMIT.toMillis());
    private static final Map<Contender, Feed.Maker> FEEDS = new LinkedHashMap<>();

    static {
        FEEDS.put(Contenders.LIMIT, Feed::array);
        FEEDS.put(Contenders.SPINDLE, Feed::channel);
        FEEDS.put(Contenders.MAP_BLOCKING, Feed::blocking);
    }

    private CoalesceComparison() {}

    public static Comparison comparison() {
        return new Comparison(
                "coalesce",
                CoalesceComparison.class,
                "The latest value of each key, compared with the peers",
                "An op is an update. Each pass has a fresh contender, and lasts until the last update of each key was"
                        + " shown; a consumer that polls takes a processor of its own, which the CPU shows.",
                List::of,
                List.of(
                        cell("k10-p1", 10, 1, 0),
                        cell("k10000-p1", 10_000, 1, 0),
                        cell("k10000-p1-slow", 10_000, 1, 1_000),
                        cell("k10-p8", 10, 8, 0),
                        cell("k10000-p8", 10_000, 8, 0)));
    }

    /** @param shownNanos the time that the consumer computes for each received update */
    private static Cell cell(String name, int keys, int producers, long shownNanos) {
        String title = String.format(Locale.ROOT, "%,d keys, %d producer%s", keys, producers, producers == 1 ? "" : "s")
                + (shownNanos > 0 ? ", a consumer that takes 1 us" : "");
        Updates updates = new Updates(keys, producers, shownNanos, false);
        Cell cell = new Cell(name, title, EFFORT, Updates.UPDATE, Updates.UPDATES_PER_SHOWN)
                .enterAll(FEEDS, updates::through);
        if (producers == 1) { // the ring supports only one producer, and may deliver an update twice
            Updates repeating = new Updates(keys, producers, shownNanos, true);
            cell.enter(Contenders.COALESCING_RING, scale -> repeating.through(Feed::ring, scale));
        }
        return cell;
    }
}
