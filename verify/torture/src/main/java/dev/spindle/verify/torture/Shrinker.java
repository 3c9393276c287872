// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a small program that breaks a promise. The search continues with each simpler program that fails, until
 * no simpler program fails or the time is over. Each program is run several times, because a race does not occur in
 * every run.
 */
final class Shrinker {
    private static final long PROGRESS_NANOS = 2_000_000_000;

    private final Trial trial;
    private final Duration time;
    private final int runs;
    private final Duration perProgram;
    private final Consumer<String> progress;

    /** Runs a program once. */
    interface Trial {
        /** Returns the broken promises, or none. */
        Violations run(Program program) throws InterruptedException;
    }

    /**
     * @param violations the promises that the smallest program broke
     * @param tried the number of programs that were run
     */
    record Result(Program program, Violations violations, int tried) {}

    /**
     * @param time the approximate time of the search
     * @param runs the maximum number of runs of one program
     * @param perProgram the time after which a program is not run again
     * @param progress receives the progress every two seconds
     */
    Shrinker(Trial trial, Duration time, int runs, Duration perProgram, Consumer<String> progress) {
        this.trial = trial;
        this.time = time;
        this.runs = runs;
        this.perProgram = perProgram;
        this.progress = progress;
    }

    /** Shrinks a program that broke {@code violations}. */
    Result shrink(Program program, Violations violations) throws InterruptedException {
        long begin = System.nanoTime();
        long said = begin;
        Program smallest = program;
        Violations broken = violations;
        List<Program> simpler = Simpler.than(program);
        int tried = 0;
        int at = 0;
        for (int inVain = 0; inVain < simpler.size() && System.nanoTime() - begin < time.toNanos(); ) {
            Program candidate = simpler.get(at % simpler.size());
            Violations found = fails(candidate);
            tried++;
            if (found == null) {
                at++;
                inVain++;
            } else {
                smallest = candidate;
                broken = found;
                simpler = Simpler.than(smallest);
                inVain = 0;
                at = simpler.isEmpty() ? 0 : at % simpler.size();
            }
            if (System.nanoTime() - said > PROGRESS_NANOS) {
                said = System.nanoTime();
                progress.accept(smallest.producers().size() + " producers, " + smallest.steps() + " steps, "
                        + smallest.tasks() + " tasks; " + tried + " programs tried");
            }
        }
        return new Result(smallest, broken, tried);
    }

    /** Returns the promises that a program broke in one of its runs, or null. */
    private @Nullable Violations fails(Program program) throws InterruptedException {
        long begin = System.nanoTime();
        for (int run = 0; run < runs && (run == 0 || System.nanoTime() - begin < perProgram.toNanos()); run++) {
            Violations violations = trial.run(program);
            if (!violations.isEmpty()) {
                return violations;
            }
        }
        return null;
    }
}
