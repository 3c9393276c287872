// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.CpuQuota;
import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.ForkedJvm;
import dev.spindle.benchmarks.forks.FutexCalls;
import dev.spindle.benchmarks.forks.StraceFutex;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs the forks of a plan, one after the other. */
final class ForkRunner implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration SHORT_LIMIT = Duration.ofSeconds(20);
    /** Strace makes a call a hundred times as slow. */
    private static final double STRACE_SCALE = 0.02;

    private final Plan.Terms terms;
    private final Consumer<String> remarks;
    private @Nullable CpuQuota quota;

    /** @param remarks gets what could not be counted, and why */
    ForkRunner(Plan.Terms terms, Consumer<String> remarks) {
        this.terms = terms;
        this.remarks = remarks;
    }

    ForkResult run(Plan.Fork fork) throws IOException, InterruptedException {
        ForkResult timed = start(fork, prefix(fork.cell()), terms.scale(), extras(fork.cell()));
        Measurement measured = timed.measurement();
        Optional<FutexCalls.Tool> tool = terms.futex();
        if (measured == null || tool.isEmpty() || !fork.cell().countsFutex()) {
            return timed;
        }
        Map<Figure, Double> figures = new EnumMap<>(measured.figures());
        figures.putAll(tool.get() == FutexCalls.Tool.PERF ? countInside(fork) : countOutside(fork));
        return ForkResult.measured(fork, new Measurement(figures));
    }

    @Override
    public void close() {
        if (quota != null) {
            quota.close();
        }
    }

    private ForkResult start(Plan.Fork fork, List<String> prefix, double scale, List<String> extras)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                fork.cell().name(),
                fork.contender().id(),
                Double.toString(scale),
                Double.toString(terms.stepsPerMicro())));
        arguments.addAll(extras);
        ForkedJvm.Output output = ForkedJvm.start(
                prefix, PoolFork.class, ForkedJvm.COMPARISON, arguments, terms.quick() ? SHORT_LIMIT : LIMIT);
        return ForkAnswer.read(
                output,
                line -> ForkResult.measured(fork, Measurement.decode(line)),
                problem -> ForkResult.failed(fork, problem));
    }

    private Map<Figure, Double> countInside(Plan.Fork fork) throws IOException, InterruptedException {
        ForkResult counted = start(fork, List.of(), terms.scale(), List.of(PoolFork.Extras.PERF));
        Measurement measurement = counted.measurement();
        if (measurement == null) {
            return notCounted(fork, counted.problem());
        }
        Map<Figure, Double> figures = new EnumMap<>(measurement.figures());
        figures.keySet().retainAll(List.of(Figure.FUTEX, Figure.FUTEX_WAIT, Figure.FUTEX_WAKE));
        return figures;
    }

    private Map<Figure, Double> countOutside(Plan.Fork fork) throws IOException, InterruptedException {
        Path log = Files.createTempFile("spindle-futex", ".log");
        try {
            ForkResult counted = start(
                    fork,
                    StraceFutex.prefix(log),
                    Math.min(STRACE_SCALE, terms.scale()),
                    List.of(PoolFork.Extras.STRACE));
            Measurement measurement = counted.measurement();
            if (measurement == null) {
                return notCounted(fork, counted.problem());
            }
            return PoolFork.perTask(StraceFutex.parse(Files.readAllLines(log)), measurement.get(Figure.TASKS));
        } catch (IllegalStateException e) {
            return notCounted(fork, String.valueOf(e.getMessage()));
        } finally {
            Files.deleteIfExists(log);
        }
    }

    private Map<Figure, Double> notCounted(Plan.Fork fork, String problem) {
        remarks.accept("No system calls of " + fork.contender().id() + " in " + fork.cell() + ": " + problem);
        return Map.of();
    }

    private List<String> prefix(Cell cell) {
        return switch (cell.confinement()) {
            case NONE -> List.of();
            case ONE_CORE -> Confinement.onOneCore();
            case QUOTA -> quota().prefix();
        };
    }

    private List<String> extras(Cell cell) {
        return cell.confinement() == Confinement.QUOTA
                ? List.of(PoolFork.Extras.STATISTICS + quota().statistics())
                : List.of();
    }

    private CpuQuota quota() {
        if (quota == null) {
            quota = CpuQuota.open(Confinement.QUOTA_PROCESSORS)
                    .orElseThrow(
                            () -> new IllegalStateException("the control group that could be made before cannot now"));
        }
        return quota;
    }
}
