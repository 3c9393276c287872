// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import static dev.spindle.benchmarks.compare.Contender.limit;
import static dev.spindle.benchmarks.compare.Contender.ours;
import static dev.spindle.benchmarks.compare.Contender.peer;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cells that measure consumers of a topic. The goals, KAF2 and KAF3, are in {@code goals/kafka.txt}. */
public final class KafkaComparison {
    private static final String METHOD =
            "An op is a record of 100 bytes. One broker, a process of its own, holds topics of four partitions; each"
                    + " pass consumes one as a new group, and its clocks run from the first record to the last. The"
                    + " processor time is that of the consumer's process. All contenders have the client 4.3.1, the"
                    + " newest with which parallel-consumer runs, and its default settings; commits are made every"
                    + " 0.5 s, by spring-kafka after each poll. Handlers check the order of each key, and wait: not at"
                    + " all, for 100 µs with 16 threads, or for 2 ms with 100. The raw loop is serial, and spring-kafka"
                    + " has four threads, one for each partition.";

    private static final Map<Contender, Consumers> ALL = new LinkedHashMap<>();

    static {
        ALL.put(
                limit("raw", "the raw poll loop, which handles each record itself")
                        .needing(SharedBroker.INSTANCE),
                Consumers.RAW);
        ALL.put(ours("spindle", "Spindle").needing(SharedBroker.INSTANCE), Consumers.SPINDLE);
        ALL.put(
                peer("parallel-consumer", "parallel-consumer 0.5.3.3").needing(SharedBroker.INSTANCE),
                Consumers.PARALLEL_CONSUMER);
        ALL.put(peer("spring", "spring-kafka 4.1, 4 threads").needing(SharedBroker.INSTANCE), Consumers.SPRING);
    }

    private KafkaComparison() {}

    /** Returns the comparison. */
    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        for (int keys : new int[] {1_000, 100_000}) {
            cells.add(cell("noop", "handlers that do nothing", new Consumption.Shape(keys, 0, 16, 500_000)));
            cells.add(cell("100us", "handlers of 100 us, 16 threads", new Consumption.Shape(keys, 100, 16, 200_000)));
            cells.add(cell("2ms", "handlers of 2 ms, 100 threads", new Consumption.Shape(keys, 2_000, 100, 100_000)));
        }
        return new Comparison(
                "kafka",
                KafkaComparison.class,
                "Consumers that handle records in order per key",
                METHOD,
                List::of,
                cells);
    }

    private static Cell cell(String group, String title, Consumption.Shape shape) {
        return new Cell(
                        group + "-" + shape.keys(),
                        title + ", " + shape.keys() + " keys",
                        Effort.millis(8_000, 12_000, 4_000).atMost(3),
                        Consumption.RATE)
                .group(group)
                .enterAll(ALL, (contender, scale) -> new Consumption(contender, shape, scale));
    }
}
