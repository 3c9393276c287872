// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import java.util.List;
import java.util.concurrent.TimeUnit;
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

/** {@code bench pipeline}'s chains for JMH and its profilers: an event of many at full speed. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseParallelGC"})
@State(Scope.Benchmark)
public class PipelineBenchmark {
    private static final int EVENTS = 100_000;
    private static final int RING = 8_192;
    private static final List<Lines.Entrant> ENTRANTS =
            List.of(Lines.SPINDLE, Lines.SPINDLE_MANY, Lines.YIELDING, Lines.BLOCKING, Lines.ABQ, Lines.CONVERSANT);

    @Param({"spindle", "spindle-many", "disruptor-yielding", "disruptor-blocking", "abq", "conversant"})
    public String pipeline = "spindle";

    @Param({"1", "3"})
    public int stages = 1;

    private @Nullable Floor floor;

    /** Called by JMH. */
    @Setup
    public void begin() {
        Lines.Entrant chosen = ENTRANTS.stream()
                .filter(entrant -> entrant.contender().id().equals(pipeline))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no pipeline '" + pipeline + "'"));
        floor = new Floor(chosen.maker(), Shape.chain(stages), RING, false);
    }

    /** Called by JMH. */
    @TearDown
    public void end() {
        if (floor != null) {
            floor.close();
        }
    }

    /** An event, from the publisher through all stages. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public void event() throws InterruptedException {
        if (floor == null || floor.run(EVENTS) > 0) {
            throw new IllegalStateException("not every stage saw every event");
        }
    }
}
