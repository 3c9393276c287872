// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.forks.ForkedJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One forked JVM: a pass to warm up, then the one that counts. */
final class CoalesceFork {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration WARM_UP = Duration.ofMillis(1_500);
    private static final Duration QUICK = Duration.ofMillis(200);
    private static final long QUICK_UPDATES = 100_000;

    private CoalesceFork() {}

    /** Which one to start. Rounds count from 1. */
    record Plan(int round, Cell cell, Contender contender) {}

    /**
     * What came back.
     *
     * @param measurement null when it failed
     * @param problem why; empty otherwise
     */
    record Result(
            int round,
            Cell cell,
            Contender contender,
            @Nullable Measurement measurement,
            String problem) {}

    static Result start(Plan plan, boolean quick) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                plan.cell().name(), plan.contender().id(), Boolean.toString(quick), Integer.toString(plan.round()));
        ForkedJvm.Output output = ForkedJvm.start(CoalesceFork.class, ForkedJvm.COMPARISON, arguments, LIMIT);
        Measurement measured =
                output.line(ForkedJvm.RESULT).map(Measurement::decode).orElse(null);
        String problem = measured == null ? output.problem() : "";
        return new Result(plan.round(), plan.cell(), plan.contender(), measured, problem);
    }

    /** Arguments: cell, contender, whether a short run will do, seed. */
    public static void main(String[] args) throws InterruptedException {
        Cell cell = Cell.named(args[0]).orElseThrow();
        Contender contender = Contender.named(args[1]).orElseThrow();
        boolean quick = Boolean.parseBoolean(args[2]);
        long seed = Long.parseLong(args[3]);
        Measurement measured;
        if (quick) {
            measured = Pass.run(cell.of(QUICK_UPDATES, QUICK), contender, seed);
        } else {
            Measurement unused = Pass.run(cell.of(cell.updates(), WARM_UP), contender, seed);
            System.gc(); // what the warm-up left must not fall into the pass that counts
            measured = Pass.run(cell, contender, seed);
        }
        System.out.println(ForkedJvm.RESULT + measured.encode());
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
