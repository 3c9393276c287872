// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.Contenders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The latest value of each key: the cells, who takes part in them, and the goal MSG11. */
public final class CoalesceComparison {
    static final Figure UPDATE = Figure.less("ns_per_update", "ns/update");
    static final Figure UPDATES_PER_SHOWN = Figure.more("updates_per_shown", "updates for each shown");

    private static final String METHOD =
            "An op is an update. Each pass has a fresh contender, and lasts until the last update of each key was"
                    + " shown; a consumer that polls takes a processor of its own, which the CPU shows.";
    private static final Effort EFFORT = Effort.millis(2_000, 4_000, Traffic.LIMIT.toMillis());

    private static final Load SLOW = new Load(10_000, 1, 1_000);

    private CoalesceComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        return new Comparison(
                "coalesce",
                CoalesceComparison.class,
                "The latest value of each key, beside the peers",
                METHOD,
                List::of,
                List.of(
                        cell(new Load(10, 1, 0)),
                        cell(new Load(10_000, 1, 0)),
                        cell(SLOW),
                        cell(new Load(10, 8, 0)),
                        cell(new Load(10_000, 8, 0))),
                CoalesceComparison::judge);
    }

    private static Cell cell(Load load) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        enter(entrants, Contenders.LIMIT, load, Peers::array);
        enter(entrants, Contenders.SPINDLE, load, Peers::coalescer);
        enter(entrants, Contenders.SPINDLE_KEYED, load, Peers::keyed);
        if (load.producers() == 1) {
            enter(entrants, Contenders.COALESCING_RING, load, Peers::ring); // it takes one producer alone
        }
        enter(entrants, Contenders.MAP_BLOCKING, load, Peers::blocking);
        enter(entrants, Contenders.MAP_POLLING, load, Peers::polling);
        return new Cell(load.name(), load.title(), List.of(UPDATE, UPDATES_PER_SHOWN), EFFORT, entrants);
    }

    private static void enter(
            Map<Contender, Subject.Setup> entrants, Contender contender, Load load, Feed.Maker maker) {
        entrants.put(contender, scale -> new Traffic(load, scale, maker, contender == Contenders.COALESCING_RING));
    }

    private static void judge(Judge judge) {
        judge.atLeast("MSG11", "k10-p1", Contenders.SPINDLE, Contenders.COALESCING_RING, UPDATE, 0.5);
        judge.atLeast("MSG11", "k10000-p1", Contenders.SPINDLE, Contenders.COALESCING_RING, UPDATE, 5);
        judge.atLeast("beside MSG11", SLOW.name(), Contenders.SPINDLE, Contenders.COALESCING_RING, UPDATE, 5);
        for (String cell : List.of("k10-p8", "k10000-p8")) {
            judge.atLeastBest(
                    "beside MSG11",
                    cell,
                    Contenders.SPINDLE,
                    List.of(Contenders.MAP_BLOCKING, Contenders.MAP_POLLING),
                    "the better map and queue",
                    UPDATE,
                    1);
        }
    }
}
