// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.WaitStrategy;
import dev.spindle.affinity.PinnedThreads;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.peers.Pools;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the start delay of tasks in an idle pool of one worker. The worker parks or spins, and is pinned to a
 * processor or not.
 */
public final class DedicatedComparison {
    private DedicatedComparison() {}

    public static Comparison comparison() {
        Map<Contender, Pools.Maker> makers = new LinkedHashMap<>();
        for (WaitStrategy waiting : List.of(WaitStrategy.PARK, WaitStrategy.SPIN)) {
            String id = waiting == WaitStrategy.PARK ? "park" : "spin";
            makers.put(
                    Contender.ours(id, id + "s"),
                    (threads, outstanding) -> builder(waiting).build());
            makers.put(
                    Contender.ours(id + "-pinned", id + "s, pinned"),
                    (threads, outstanding) -> builder(waiting)
                            .threadFactory(
                                    PinnedThreads.builder().maxPinned(threads).build())
                            .build());
        }
        Load tasks = Clients.openLoop(1, 2_000, 0.1, 0).withLimit(0);
        return new Comparison(
                "dedicated",
                DedicatedComparison.class,
                "One worker that parks, spins or is pinned",
                "An op is a task.",
                Burn::jvmArguments,
                List.of(PoolComparison.cell("dedicated", "a task each 500 us, one worker", tasks, makers)));
    }

    private static SpindleBuilder builder(WaitStrategy waiting) {
        return Spindle.builder().coreThreads(1).maxThreads(1).waitStrategy(waiting);
    }
}
