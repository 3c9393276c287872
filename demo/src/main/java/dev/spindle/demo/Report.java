// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Writes what the runs cost and whether they agree. */
final class Report {

    private final PrintWriter out;

    Report(PrintWriter out) {
        this.out = out;
    }

    /**
     * Writes the report of several runs, the last of which is the run on one thread.
     *
     * @return whether every run passed
     */
    boolean write(List<RunResult> runs) {
        RunResult reference = runs.get(runs.size() - 1);
        out.println();
        out.print(costs(runs));
        out.println();
        boolean passed = proof(runs, reference);
        out.println();
        out.println("Rules of the aircraft: " + AircraftState.rejections(reference.states()) + ".");
        out.println("One run each: a look, not a measurement; for that there is ./spindle bench.");
        out.println(
                passed
                        ? "PASSED: every aircraft ended as on one thread, in order."
                        : "FAILED: see the lines marked with an exclamation mark.");
        out.flush();
        return passed;
    }

    /** Writes the boards drawn last, one after the other. */
    void writeBoards(RunResult run) {
        run.boards().values().forEach(board -> out.println(System.lineSeparator() + board.stripTrailing()));
        out.flush();
    }

    private boolean proof(List<RunResult> runs, RunResult reference) {
        out.println("Final states, compared field by field with '" + reference.name() + "' (digest "
                + StateDigest.of(reference.states()) + "):");
        boolean passed = true;
        for (int i = 0; i < runs.size(); i++) {
            RunResult run = runs.get(i);
            Verdict verdict = Verdict.of(run, reference);
            if (i < runs.size() - 1) {
                out.println("  " + run.name() + ": " + verdict.summary());
            }
            verdict.complaints().forEach(complaint -> out.println("  ! " + run.name() + ": " + complaint));
            passed &= verdict.passed();
        }
        return passed;
    }

    private static TextTable costs(List<RunResult> runs) {
        TextTable table =
                new TextTable("", "events/s", "wall s", "CPU s", "peak", "context", "order", "boards", "boards");
        table.row("", "", "", "", "threads", "switches", "violations", "drawn", "asked for");
        for (RunResult run : runs) {
            ContextSwitches switches = run.switches();
            table.row(
                    run.name(),
                    grouped(Math.round(run.eventsPerSecond())),
                    seconds(run.wallNanos()),
                    seconds(run.cpuNanos()),
                    grouped(run.peakThreads()),
                    switches == null ? "n/a" : grouped(switches.voluntary() + switches.involuntary()),
                    grouped(run.violations()),
                    grouped(run.boardsDrawn()),
                    grouped(run.boardsAsked()));
        }
        return table;
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / 1e9);
    }
}
