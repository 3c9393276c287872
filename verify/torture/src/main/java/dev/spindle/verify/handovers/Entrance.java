// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.handovers;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.verify.torture.tools.Pause;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One of the ways to submit a task to a pool.
 *
 * @param title its name in the report
 * @param weight its relative frequency
 * @param door submits a task
 */
record Entrance(String title, int weight, Consumer<Runnable> door) {
    private static final int KEYS = 1_024;
    private static final long OUTER_NANOS = 2_000;

    /** Returns all ways to submit a task to {@code spindle}. */
    static List<Entrance> of(Spindle spindle) {
        Keyed<Integer> keyed = spindle.keyed("keys");
        Strand strand = spindle.strand("handovers");
        LogicalExecutor logical = spindle.executor("handovers", 2);
        AtomicInteger turn = new AtomicInteger();
        return List.of(
                new Entrance("plain", 40, spindle::execute),
                new Entrance("key", 20, task -> keyed.execute(turn.incrementAndGet() % KEYS, task)),
                new Entrance("strand", 15, strand::execute),
                new Entrance("logical executor", 10, logical::execute),
                new Entrance("inner submit", 5, task -> spindle.execute(() -> spindle.execute(task))),
                new Entrance(
                        "inner submit, goes on",
                        5,
                        task -> spindle.execute(() -> {
                            spindle.execute(task);
                            Pause.spin(OUTER_NANOS);
                        })),
                new Entrance("timer of 0 ms", 5, task -> {
                    Future<?> unused = spindle.schedule(task, 0, TimeUnit.MILLISECONDS);
                }));
    }
}
