// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.lane.LaneTable;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a keyed task that is submitted and run by one thread. Each task makes its lane ready, and the lane is
 * idle again after the task. The measured cost includes no queue of ready lanes and no worker threads. The heap is
 * pre-touched, because the first access to a page costs more than a task.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"})
public class KeyedTaskBenchmark {
    private static final int KEYS = 1_000;
    private static final int BATCH = 8;

    private static final class Count implements Runnable {
        private long runs;

        @Override
        public void run() {
            runs++;
        }
    }

    /** Lanes that run on the benchmark's thread. */
    @State(Scope.Thread)
    public static class Lanes {
        private final Count task = new Count();
        private final DirectScheduler scheduler = new DirectScheduler();
        private final LaneTable table =
                new LaneTable(scheduler, key -> null, Integer.MAX_VALUE, () -> {}, (LaneCore died) -> {});
        private final LaneSpace space = table.add(new LaneSpace(table, "keys"));
        private final Integer[] keys = new Integer[KEYS];
        private final LaneCore[] handles = new LaneCore[KEYS];

        @Setup
        public void makeLanes() {
            scheduler.bind();
            Arrays.setAll(keys, key -> key);
            Arrays.setAll(handles, key -> space.lane(keys[key]));
        }

        @TearDown
        public void end() {
            scheduler.unbind();
        }
    }

    /** A paused key. */
    @State(Scope.Thread)
    public static class Paused {
        private final Count task = new Count();
        private final Spindle spindle =
                Spindle.builder().coreThreads(1).maxThreads(1).build();
        private final Keyed<Integer> keyed = spindle.keyed("keys");

        @Setup
        public void pause() {
            keyed.at(-1).pause();
        }

        @TearDown
        public void end() {
            keyed.at(-1).resume();
            spindle.close();
        }
    }

    /** Looks up the lane of the key for each task. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public long byKey(Lanes lanes) {
        for (Integer key : lanes.keys) {
            lanes.space.lane(key).push(lanes.task);
            lanes.scheduler.drain();
        }
        return lanes.task.runs;
    }

    /** Pushes each task to a lane that was looked up beforehand. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public long byHandle(Lanes lanes) {
        for (LaneCore lane : lanes.handles) {
            lane.push(lanes.task);
            lanes.scheduler.drain();
        }
        return lanes.task.runs;
    }

    /** Pushes eight tasks to a lane before each of its turns. */
    @Benchmark
    @OperationsPerInvocation(KEYS * BATCH)
    public long batchOf8(Lanes lanes) {
        for (LaneCore lane : lanes.handles) {
            for (int i = 0; i < BATCH; i++) {
                lane.push(lanes.task);
            }
            lanes.scheduler.drain();
        }
        return lanes.task.runs;
    }

    /** Submits a task that supersedes a pending task. The key is paused, so that no task runs. */
    @Benchmark
    public CompletableFuture<Boolean> coalescingHit(Paused key) {
        return key.keyed.coalesce(-1, key.task);
    }
}
