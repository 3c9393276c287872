// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.Subject;
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

/** {@code bench serial}'s flood for JMH and its profilers: a task of many that run one after the other. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseParallelGC"})
@State(Scope.Benchmark)
public class SerialBenchmark {
    private static final List<Makers.Maker> MAKERS =
            List.of(Makers.SPINDLE, Makers.SPINDLE_OWN, Makers.JDK, Makers.NETTY, Makers.NON_STICKY, Makers.JRAFT);

    @Param({"spindle", "spindle-own", "jdk", "netty", "netty-nonsticky", "jraft"})
    public String executor = "spindle";

    @Param({"1", "32"})
    public int producers = 1;

    private @Nullable Flood flood;

    /** Called by JMH. */
    @Setup
    public void begin() {
        Makers.Maker chosen = MAKERS.stream()
                .filter(maker -> maker.contender().id().equals(executor))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no executor '" + executor + "'"));
        flood = new Flood(chosen.of(1), producers, Subject.Scale.FULL);
    }

    /** Called by JMH. */
    @TearDown
    public void end() {
        if (flood != null) {
            flood.close();
        }
    }

    /** A task, of a million. */
    @Benchmark
    @OperationsPerInvocation(Flood.TASKS)
    public void task() throws InterruptedException {
        if (flood == null || flood.run() > 0) {
            throw new IllegalStateException("not all tasks ran in their order");
        }
    }
}
