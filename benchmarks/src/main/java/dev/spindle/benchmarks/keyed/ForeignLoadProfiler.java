// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** Adds to each iteration which share of the machine other processes took: times in nanoseconds mean little beside it. */
public final class ForeignLoadProfiler implements InternalProfiler {
    static final String LABEL = "foreign";

    private MachineLoad loadBefore = MachineLoad.now();
    private long cpuBefore;

    /** For JMH, which makes one in each fork. */
    public ForeignLoadProfiler() {}

    @Override
    public String getDescription() {
        return "Share of the machine that other processes took";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        loadBefore = MachineLoad.now();
        cpuBefore = OwnProcess.cpuNanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double percent = MachineLoad.now().foreignPercent(loadBefore, OwnProcess.cpuNanos() - cpuBefore);
        return List.of(new ScalarResult(LABEL, percent, "%", AggregationPolicy.AVG));
    }
}
