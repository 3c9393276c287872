// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.peers.Contenders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;

/** Events through stages: the cells, and the goals MSG5 to MSG7. */
public final class PipelineComparison {
    private static final int RING = 8_192;
    private static final int BULK = 32;
    private static final Effort FLOW = Effort.millis(1_200, 1_600, 200);
    private static final Effort IDLE = Effort.once(Duration.ofMillis(300), Duration.ofSeconds(10));
    private static final Effort PACED = Effort.once(Duration.ofSeconds(1), Duration.ofSeconds(3));

    private static final Map<Contender, Line.Maker> ALL = new LinkedHashMap<>();
    private static final Map<Contender, Line.Maker> IN_BULK = new LinkedHashMap<>();
    private static final Map<Contender, Line.Maker> WAITING = new LinkedHashMap<>();

    static {
        WAITING.put(Contenders.SPINDLE, Lines.spindle(1));
        WAITING.put(Contenders.BLOCKING, Lines.disruptor(BlockingWaitStrategy::new, 1));
        WAITING.put(Contenders.YIELDING, Lines.disruptor(YieldingWaitStrategy::new, 1));
        WAITING.put(Contenders.ABQ, Lines.queues(ArrayBlockingQueue::new));
        ALL.put(Contenders.LIMIT, Lines::inPlace);
        ALL.putAll(WAITING);
        ALL.put(Contenders.CONVERSANT, Lines.queues(DisruptorBlockingQueue::new));
        IN_BULK.putAll(ALL);
        IN_BULK.put(Contenders.SPINDLE_BULK, Lines.spindle(BULK));
        IN_BULK.put(Contenders.YIELDING_BULK, Lines.disruptor(YieldingWaitStrategy::new, BULK));
    }

    private PipelineComparison() {}

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        for (int ring : new int[] {1_024, RING}) {
            String title = String.format(Locale.ROOT, "one stage, a ring of %,d", ring);
            cells.add(flow("unicast-" + ring, title, Shape.chain(1), ring, IN_BULK));
        }
        cells.add(flow("chain-3", "a chain of 3 stages", Shape.chain(3), RING, IN_BULK));
        cells.add(flow("chain-8", "a chain of 8 stages", Shape.chain(8), RING, ALL));
        cells.add(flow("diamond", "two stages, and one after both", Shape.diamond(), RING, ALL));
        cells.add(flow("multicast", "three stages side by side", Shape.multicast(3), RING, ALL));
        cells.add(new Cell("idle-8", "8 stages that have nothing to do for 10 s", IDLE, Floor.IDLE_CPU)
                .enterAll(WAITING, (maker, scale) -> Floor.idle(maker, Shape.chain(8), RING, scale)));
        for (int stages : new int[] {1, 3, 8}) {
            String title = "an event each millisecond, a chain of " + stages;
            cells.add(
                    new Cell("paced-" + stages, title, PACED, Floor.DELAY.median(), Floor.DELAY.tail(), Floor.PACED_CPU)
                            .enterAll(WAITING, (maker, scale) -> Floor.paced(maker, Shape.chain(stages), RING, scale)));
        }
        return new Comparison(
                "pipeline",
                PipelineComparison.class,
                "Events through stages, compared with the peers",
                "An op is an event. Spindle's pool has as many workers as processors, two at least; the Disruptor and"
                        + " the chains of queues have a thread for each stage.",
                List::of,
                cells,
                PipelineComparison::judge);
    }

    private static Cell flow(String name, String title, Shape shape, int ring, Map<Contender, Line.Maker> makers) {
        return new Cell(name, title, FLOW, Floor.EVENT)
                .enterAll(makers, (maker, scale) -> new Floor(maker, shape, ring, false));
    }

    private static void judge(Judge judge) {
        Contender ours = Contenders.SPINDLE;
        Contender bulk = Contenders.SPINDLE_BULK;
        Contender yielding = Contenders.YIELDING;
        List<Contender> blocking = List.of(Contenders.BLOCKING, Contenders.ABQ, Contenders.CONVERSANT);
        String best = "best of those that block";
        for (String cell : List.of("unicast-1024", "unicast-8192")) {
            judge.atLeast("MSG5", cell, ours, yielding, Floor.EVENT, 0.6);
            judge.atLeastBest("MSG5", cell, ours, blocking, best, Floor.EVENT, 1.2);
        }
        for (String cell : List.of("unicast-8192", "chain-3")) {
            judge.atLeast("MSG6b", cell, bulk, yielding, Floor.EVENT, 1);
            judge.atLeast("MSG6b", cell, bulk, Contenders.YIELDING_BULK, Floor.EVENT, 1);
        }
        for (String cell : List.of("chain-3", "chain-8", "diamond", "multicast")) {
            judge.atLeast("MSG6", cell, ours, yielding, Floor.EVENT, 0.6);
            judge.atLeastBest("MSG6", cell, ours, blocking, best, Floor.EVENT, 1.1);
        }
        judge.atLeast("MSG6", "chain-8", ours, Contenders.BLOCKING, Floor.EVENT, 50);
        judge.atMost("MSG7", "idle-8", ours, Floor.IDLE_CPU, 1);
        for (String cell : List.of("paced-1", "paced-3", "paced-8")) {
            judge.atMostOf("MSG7", cell, ours, Contenders.BLOCKING, Floor.DELAY.tail(), 1);
        }
    }
}
