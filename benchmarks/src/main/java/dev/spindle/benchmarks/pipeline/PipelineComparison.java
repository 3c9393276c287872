// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** Events through stages: the cells, who takes part in them, and the goals MSG5 to MSG7. */
public final class PipelineComparison {
    static final Figure EVENT = Figure.less("ns_per_event", "ns/event");
    static final Figure IDLE_CPU = Figure.less("idle_cpu_percent", "CPU of its threads while idle, % of a core");
    static final Figure DELAY_P50 = Figure.less("delay_p50_us", "to the last stage p50, us");
    static final Figure DELAY_P99 = Figure.less("delay_p99_us", "p99, us");
    static final Figure PACED_CPU = Figure.less("paced_cpu_percent", "CPU of its threads, % of a core");

    private static final int RING = 8_192;
    private static final String METHOD = "An op is an event.";

    private static final Effort FLOW = Effort.millis(1_200, 1_600, 200);
    private static final Effort IDLE = Effort.once(Duration.ofMillis(300), Duration.ofSeconds(10));
    private static final Effort PACED = Effort.once(Duration.ofSeconds(1), Duration.ofSeconds(3));

    private static final List<Lines.Entrant> ONE_PUBLISHER = List.of(
            Lines.LIMIT, Lines.SPINDLE, Lines.BLOCKING, Lines.YIELDING, Lines.SLEEPING, Lines.ABQ, Lines.CONVERSANT);

    private static final List<Lines.Entrant> WAITING =
            List.of(Lines.SPINDLE, Lines.BLOCKING, Lines.YIELDING, Lines.SLEEPING);

    private PipelineComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        for (int ring : new int[] {1_024, 8_192}) {
            String title = String.format(Locale.ROOT, "one stage, a ring of %,d", ring);
            cells.add(flow("unicast-" + ring, title, Shape.chain(1), ring, withManyAndBulk()));
        }
        cells.add(flow("chain-3", "a chain of 3 stages", Shape.chain(3), RING, withBulk()));
        cells.add(flow("chain-8", "a chain of 8 stages", Shape.chain(8), RING, ONE_PUBLISHER));
        cells.add(flow("diamond", "two stages, and one after both", Shape.diamond(), RING, ONE_PUBLISHER));
        cells.add(flow("multicast", "three stages beside one another", Shape.multicast(3), RING, ONE_PUBLISHER));
        cells.add(idle());
        for (int stages : new int[] {1, 3, 8}) {
            cells.add(paced(stages));
        }
        return new Comparison(
                "pipeline",
                PipelineComparison.class,
                "Events through stages, beside the peers",
                METHOD,
                List::of,
                cells,
                PipelineComparison::judge);
    }

    private static List<Lines.Entrant> withManyAndBulk() {
        List<Lines.Entrant> entrants = withBulk();
        entrants.add(2, Lines.SPINDLE_MANY);
        return entrants;
    }

    private static List<Lines.Entrant> withBulk() {
        List<Lines.Entrant> entrants = new ArrayList<>(ONE_PUBLISHER);
        entrants.add(2, Lines.SPINDLE_BULK);
        entrants.add(Lines.YIELDING_BULK);
        return entrants;
    }

    private static Cell flow(String name, String title, Shape shape, int ring, List<Lines.Entrant> who) {
        return new Cell(
                name,
                title,
                List.of(EVENT),
                FLOW,
                entrants(who, (maker, scale) -> new Throughput(new Floor(maker, shape, ring, false))));
    }

    private static Cell idle() {
        List<Lines.Entrant> who = new ArrayList<>(WAITING);
        who.add(Lines.ABQ);
        return new Cell(
                "idle-8",
                "8 stages that have nothing to do for 10 s",
                List.of(IDLE_CPU),
                IDLE,
                entrants(who, (maker, scale) -> new Idle(new Floor(maker, Shape.chain(8), RING, false), scale)));
    }

    private static Cell paced(int stages) {
        return new Cell(
                "paced-" + stages,
                "an event each millisecond, " + (stages == 1 ? "1 stage" : "a chain of " + stages + " stages"),
                List.of(DELAY_P50, DELAY_P99, PACED_CPU),
                PACED,
                entrants(
                        WAITING,
                        (maker, scale) -> new Paced(new Floor(maker, Shape.chain(stages), RING, true), scale)));
    }

    private static Map<Contender, Subject.Setup> entrants(
            List<Lines.Entrant> who, BiFunction<Line.Maker, Subject.Scale, Subject> subject) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        who.forEach(one -> entrants.put(one.contender(), scale -> subject.apply(one.maker(), scale)));
        return entrants;
    }

    private static void judge(Judge judge) {
        Contender ours = Lines.SPINDLE.contender();
        Contender blocking = Lines.BLOCKING.contender();
        Contender yielding = Lines.YIELDING.contender();
        List<Contender> whoBlock = List.of(blocking, Lines.ABQ.contender(), Lines.CONVERSANT.contender());
        String who = "best of those that block";
        for (String cell : List.of("unicast-1024", "unicast-8192")) {
            judge.atLeast("MSG5", cell, ours, yielding, EVENT, 0.6);
            judge.atLeastBest("MSG5", cell, ours, whoBlock, who, EVENT, 1.2);
        }
        for (String cell : List.of("unicast-8192", "chain-3")) {
            judge.atLeast("MSG6b", cell, Lines.SPINDLE_BULK.contender(), yielding, EVENT, 1);
            judge.atLeast("MSG6b", cell, Lines.SPINDLE_BULK.contender(), Lines.YIELDING_BULK.contender(), EVENT, 1);
        }
        for (String cell : List.of("chain-3", "chain-8", "diamond", "multicast")) {
            judge.atLeast("MSG6", cell, ours, yielding, EVENT, 0.6);
            judge.atLeastBest("MSG6", cell, ours, whoBlock, who, EVENT, 1.1);
        }
        judge.atLeast("MSG6", "chain-8", ours, blocking, EVENT, 50);
        judge.atMost("MSG7", "idle-8", ours, IDLE_CPU, 1);
        for (String cell : List.of("paced-1", "paced-3", "paced-8")) {
            judge.atMostOf("MSG7", cell, ours, blocking, DELAY_P99, 1);
        }
    }
}
