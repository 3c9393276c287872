// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.executors.Contenders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;

/**
 * The cells that measure events passing through the stages of a pipeline. The goals, MSG5 to MSG7, are in
 * {@code goals/pipeline.txt}.
 */
public final class PipelineComparison {
    private static final int RING = 8_192;
    private static final int BULK = 32;
    private static final Effort FLOW = Effort.millis(1_200, 1_600, 200);
    private static final Effort IDLE = Effort.once(Duration.ZERO, Duration.ofSeconds(10));
    private static final Effort PACED = Effort.once(Duration.ZERO, Duration.ofSeconds(4));

    private static final Map<Contender, Line.Maker> ALL = new LinkedHashMap<>();
    private static final Map<Contender, Line.Maker> IN_BULK = new LinkedHashMap<>();
    private static final Map<Contender, Line.Maker> WAITING = new LinkedHashMap<>();

    static {
        WAITING.put(Contenders.SPINDLE, Line.spindle(1));
        WAITING.put(Contenders.BLOCKING, Line.disruptor(BlockingWaitStrategy::new, 1));
        WAITING.put(Contenders.YIELDING, Line.disruptor(YieldingWaitStrategy::new, 1));
        WAITING.put(Contenders.ABQ, Line.queues(ArrayBlockingQueue::new));
        ALL.put(Contenders.LIMIT, Line::inPlace);
        ALL.putAll(WAITING);
        ALL.put(Contenders.CONVERSANT, Line.queues(DisruptorBlockingQueue::new));
        IN_BULK.putAll(ALL);
        IN_BULK.put(Contenders.SPINDLE_BULK, Line.spindle(BULK));
        IN_BULK.put(Contenders.YIELDING_BULK, Line.disruptor(YieldingWaitStrategy::new, BULK));
    }

    private PipelineComparison() {}

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        for (int ring : new int[] {1_024, RING}) {
            String title = String.format(Locale.ROOT, "one stage, a ring of %,d", ring);
            cells.add(flow("unicast-" + ring, title, () -> Work.chain(1), ring, IN_BULK));
        }
        cells.add(flow("chain-3", "a chain of 3 stages", () -> Work.chain(3), RING, IN_BULK));
        cells.add(flow("chain-8", "a chain of 8 stages", () -> Work.chain(8), RING, ALL));
        cells.add(flow("diamond", "two stages, and one after both", () -> Work.diamond(), RING, ALL));
        cells.add(flow("multicast", "three stages side by side", () -> Work.multicast(3), RING, ALL));
        cells.add(new Cell("idle-8", "8 stages that have nothing to do for 10 s", IDLE, Floor.IDLE_CPU)
                .enterAll(WAITING, (maker, scale) -> Floor.idle(maker, 8, RING, scale)));
        List<Figure> paced = List.of(Floor.DELAY.median(), Floor.DELAY.tail(), Floor.PACED_CPU);
        for (int stages : new int[] {1, 3, 8}) {
            String title = "an event each millisecond, a chain of " + stages;
            cells.add(new Cell("paced-" + stages, title, PACED, paced)
                    .enterAll(WAITING, (maker, scale) -> Floor.paced(maker, stages, RING, scale)));
        }
        return new Comparison(
                "pipeline",
                PipelineComparison.class,
                "Events through stages, compared with the peers",
                "An op is an event. Spindle's pool has as many workers as processors, two at least; the Disruptor and"
                        + " the chains of queues have a thread for each stage.",
                List::of,
                cells);
    }

    private static Cell flow(
            String name, String title, Supplier<List<Work>> works, int ring, Map<Contender, Line.Maker> makers) {
        return new Cell(name, title, FLOW, Floor.EVENT)
                .enterAll(makers, (maker, scale) -> Floor.flow(maker, works.get(), ring));
    }
}
