// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.Spindle;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the events of Java Flight Recorder cost a task that is too short to be recorded. One worker submits to itself, so
 * nothing but the way of a task is measured. Run it with the classes of a core without events on the class path, and with
 * {@code recording=never}, for the zero that the others are compared with.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"})
public class EventCostBenchmark {
    private static final int TASKS = 1_000;
    private static final int ROUNDS = 100;

    /** What every task does. */
    private static final class Count implements Runnable {
        private long runs;

        @Override
        public void run() {
            runs++;
        }
    }

    /** A spindle of one worker, and a recording or none. */
    @State(Scope.Thread)
    public static class Pool {
        /** Whether the recorder was never used, runs without Spindle's events, or with them. */
        @Param({"never", "others", "events"})
        public String recording = "never";

        private final Count task = new Count();
        private final Spindle spindle = Spindle.builder().core(1).max(1).build();
        private final Lane[] lanes = new Lane[TASKS];
        private final Semaphore done = new Semaphore(0);
        private @Nullable Recording running;

        /** Called by JMH. */
        @Setup
        public void begin() {
            Keyed<Integer> keyed = spindle.keyed();
            Arrays.setAll(lanes, keyed::at);
            if (!recording.equals("never")) {
                Recording started = new Recording();
                running = started;
                for (String event : new String[] {"dev.spindle.QueueWait", "dev.spindle.TaskRun"}) {
                    if (recording.equals("events")) {
                        started.enable(event);
                    } else {
                        started.disable(event);
                    }
                }
                started.start();
            }
        }

        /** Called by JMH. */
        @TearDown
        public void end() {
            spindle.close();
            if (running != null) {
                running.close();
            }
        }

        /** Runs {@code submits} on the worker, and again when all that it submitted to {@code to} has run, so many times. */
        private void onWorker(Consumer<Runnable> to, Runnable submits, int rounds) {
            if (rounds == 0) {
                done.release();
            } else {
                submits.run();
                to.accept(() -> onWorker(to, submits, rounds - 1));
            }
        }

        private long run(Consumer<Runnable> to, Runnable submits) {
            to.accept(() -> onWorker(to, submits, ROUNDS));
            done.acquireUninterruptibly();
            return task.runs;
        }
    }

    /** Plain tasks: each is an entry of its own. */
    @Benchmark
    @OperationsPerInvocation(TASKS * ROUNDS)
    public long plain(Pool pool) {
        return pool.run(pool.spindle::execute, () -> {
            for (int i = 0; i < TASKS; i++) {
                pool.spindle.execute(pool.task);
            }
        });
    }

    /** Tasks of as many keys: each makes its lane ready. */
    @Benchmark
    @OperationsPerInvocation(TASKS * ROUNDS)
    public long keyed(Pool pool) {
        return pool.run(pool.spindle::execute, () -> {
            for (Lane lane : pool.lanes) {
                lane.execute(pool.task);
            }
        });
    }

    /** Tasks of one key, which run in turns of many. */
    @Benchmark
    @OperationsPerInvocation(TASKS * ROUNDS)
    public long oneKey(Pool pool) {
        Lane lane = pool.lanes[0];
        return pool.run(lane::execute, () -> {
            for (int i = 0; i < TASKS; i++) {
                lane.execute(pool.task);
            }
        });
    }
}
