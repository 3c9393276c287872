// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.WaitStrategy;
import dev.spindle.affinity.PinnedThreads;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.pool.stage.Burn;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.work.OpenLoop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How late a task starts in an idle pool of one worker that parks, spins, or does either on a core of its own: the
 * options for dedicated machines.
 */
public final class DedicatedComparison {
    private static final OpenLoop TASKS = new OpenLoop(1, 2_000, 0.1, 0);

    private DedicatedComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        for (WaitStrategy waiting : List.of(WaitStrategy.PARK, WaitStrategy.SPIN)) {
            String id = waiting == WaitStrategy.PARK ? "park" : "spin";
            enter(entrants, Contender.ours(id, id + "s"), waiting, false);
            enter(entrants, Contender.ours(id + "-pinned", id + "s, pinned"), waiting, true);
        }
        Cell cell = new Cell("dedicated", "a task each 500 us, one worker", TASKS.figures(), TASKS.effort(), entrants);
        return new Comparison(
                "dedicated",
                DedicatedComparison.class,
                "One worker that parks, spins or is pinned",
                "An op is a task.",
                Burn::jvmArguments,
                List.of(cell),
                judge -> {});
    }

    private static void enter(
            Map<Contender, Subject.Setup> entrants, Contender contender, WaitStrategy waiting, boolean pinned) {
        Pools.Maker maker = (threads, outstanding) -> {
            SpindleBuilder builder =
                    Spindle.builder().core(threads).max(threads).waitStrategy(waiting);
            if (pinned) {
                builder.threadFactory(PinnedThreads.builder().workers(threads).build());
            }
            return builder.build();
        };
        entrants.put(contender, scale -> new Stage(contender, maker, TASKS, scale));
    }
}
