// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.Coalesced;
import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.Spindle;
import dev.spindle.internal.LaneCore;
import dev.spindle.internal.LaneTable;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
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
 * What one keyed task costs when submit and run happen on one thread: the task is pushed, the lane becomes ready, runs
 * it and is idle again. Everything but {@code pool…} leaves out the queue and the workers. The heap is touched before: the
 * first use of a page costs more than a task.
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
    private static final int ROUNDS = 100;

    /** What every task does. */
    private static final class Count implements Runnable {
        private long runs;

        @Override
        public void run() {
            runs++;
        }
    }

    /** A thousand lanes without threads. */
    @State(Scope.Thread)
    public static class Lanes {
        private final Count task = new Count();
        private final DirectScheduler scheduler = new DirectScheduler();
        private final LaneTable table =
                new LaneTable(scheduler, key -> null, Integer.MAX_VALUE, () -> {}, (LaneCore died) -> {});
        private final Integer[] keys = new Integer[KEYS];
        private final LaneCore[] handles = new LaneCore[KEYS];

        /** Called by JMH. */
        @Setup
        public void makeLanes() {
            scheduler.bind();
            Arrays.setAll(keys, key -> key);
            Arrays.setAll(handles, key -> table.lane(keys[key]));
        }

        /** Called by JMH. */
        @TearDown
        public void end() {
            scheduler.unbind();
        }
    }

    /** One worker, which submits to itself: the whole way of a task, without any hand-over between threads. */
    @State(Scope.Thread)
    public static class Pool {
        private final Count task = new Count();
        private final Spindle spindle = Spindle.builder().core(1).max(1).build();
        private final Keyed<Integer> keyed = spindle.keyed();
        private final Integer[] keys = new Integer[KEYS];
        private final Lane[] handles = new Lane[KEYS];
        private final Semaphore done = new Semaphore(0);

        /** Called by JMH. */
        @Setup
        public void makeLanes() {
            Arrays.setAll(keys, key -> key);
            Arrays.setAll(handles, key -> keyed.at(keys[key]));
            keyed.pause(-1);
        }

        /** Called by JMH. */
        @TearDown
        public void end() {
            keyed.resume(-1);
            spindle.close();
        }

        /** Runs {@code submits} on the worker, and again when all that it submitted has run, so many times. */
        private void onWorker(Runnable submits, int rounds) {
            if (rounds == 0) {
                done.release();
            } else {
                submits.run();
                spindle.execute(() -> onWorker(submits, rounds - 1));
            }
        }
    }

    /** What the loop itself and the task cost. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public long baseline(Lanes lanes) {
        for (Integer key : lanes.keys) {
            if (key >= 0) {
                lanes.task.run();
            }
        }
        return lanes.task.runs;
    }

    /** The key is looked up for each task. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public long byKey(Lanes lanes) {
        for (Integer key : lanes.keys) {
            lanes.table.lane(key).push(lanes.task);
            lanes.scheduler.drain();
        }
        return lanes.task.runs;
    }

    /** The lane is at hand. */
    @Benchmark
    @OperationsPerInvocation(KEYS)
    public long byHandle(Lanes lanes) {
        for (LaneCore lane : lanes.handles) {
            lane.push(lanes.task);
            lanes.scheduler.drain();
        }
        return lanes.task.runs;
    }

    /** The lane is at hand, and each of its turns finds eight tasks. */
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

    /** A submit that replaces a pending one; the key is paused, so that nothing else happens. */
    @Benchmark
    public Coalesced coalescingHit(Pool pool) {
        return pool.keyed.coalesce(-1, pool.task);
    }

    /** As {@link #byKey}, by the public methods and through the pool's queue and worker. */
    @Benchmark
    @OperationsPerInvocation(KEYS * ROUNDS)
    public long poolByKey(Pool pool) {
        pool.spindle.execute(() -> pool.onWorker(
                () -> {
                    for (Integer key : pool.keys) {
                        pool.keyed.execute(key, pool.task);
                    }
                },
                ROUNDS));
        pool.done.acquireUninterruptibly();
        return pool.task.runs;
    }

    /** As {@link #byHandle}, by the public methods and through the pool's queue and worker. */
    @Benchmark
    @OperationsPerInvocation(KEYS * ROUNDS)
    public long poolByHandle(Pool pool) {
        pool.spindle.execute(() -> pool.onWorker(
                () -> {
                    for (Lane lane : pool.handles) {
                        lane.execute(pool.task);
                    }
                },
                ROUNDS));
        pool.done.acquireUninterruptibly();
        return pool.task.runs;
    }
}
