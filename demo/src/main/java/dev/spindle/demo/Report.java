// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.FlightData;
import dev.spindle.demo.flights.Timeline;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the description, the table and the conclusions of a demo, in lines of at most 80 columns. */
final class Report {

    private final PrintWriter out;

    Report(PrintWriter out) {
        this.out = out;
    }

    void story(List<Contender> contenders) {
        paragraph("A flight is announced, departs or is cancelled, and lands. Events of one aircraft have to be handled"
                + " in order; those of different aircraft need not wait for each other.");
        out.println();
        contenders.forEach(contender -> listed("%-25s %s".formatted(contender.name(), contender.method())));
        out.println();
        out.flush();
    }

    /** Writes the flights, the simulated work and the headings of the table. */
    void introduce(FlightData data, Timeline timeline, Demo.Settings settings, Replay.Reference reference) {
        int events = timeline.events().size();
        String none =
                data.unassigned() == 0 ? "" : "; " + ResultTable.grouped(data.unassigned()) + " more name no aircraft";
        item(
                "Flights",
                ResultTable.grouped(data.flights().size() - data.unassigned()) + " of "
                        + ResultTable.grouped(timeline.tails().size()) + " aircraft, from " + data.source() + none);
        item("Events", ResultTable.grouped(events) + ", " + arrivals(timeline, settings.speed()));
        item(
                "Each computes",
                String.format(
                        Locale.ROOT,
                        "for %,.0f microseconds: %.1f s of one processor for all of them",
                        reference.computingNanos() / 1e3 / events,
                        reference.computingNanos() / 1e9));
        item("One in " + SimulatedWork.LOOK_UP_ONE_IN, lookUps(timeline, settings.work()));
        out.println();
        out.println(ResultTable.firstHeading());
        out.println(ResultTable.secondHeading());
        out.flush();
    }

    void row(RunResult run) {
        out.println(ResultTable.row(run.name(), run.figures()));
        out.flush();
    }

    /** Writes the reason for which a contender cannot run. */
    void absent(String name, String why) {
        listed("%-25s %s".formatted(name, why));
        out.flush();
    }

    /**
     * Writes the meaning of the columns and the conclusions.
     *
     * @return true if every contender kept its promises
     */
    boolean conclude(List<RunResult> runs, SimulatedWork work, List<AircraftState> expected) {
        explain(runs, work);
        boolean passed = true;
        for (RunResult run : runs) {
            Verdict verdict = Verdict.of(run, expected);
            verdict.failures().forEach(failure -> listed("! " + run.name() + ": " + failure));
            verdict.notes().forEach(note -> listed("* " + run.name() + ": " + note));
            passed &= verdict.passed();
        }
        compare(runs);
        out.println();
        paragraph("One run each: an impression, not a measurement. ./spindle bench measures.");
        paragraph(
                passed
                        ? "PASSED: all that promise the order of each aircraft kept it."
                        : "FAILED: see the lines with an exclamation mark.");
        out.flush();
        return passed;
    }

    private void explain(List<RunResult> runs, SimulatedWork work) {
        out.println();
        paragraph("longest wait: the longest time that an event waited although it had arrived and its aircraft was"
                + " free: for other aircraft, or for a thread to wake up.");
        paragraph("out of order: began after a later event of its aircraft, or during another one.");
        paragraph("context switches: the number of times a thread gave up its processor to wait.");
        for (RunResult run : runs) {
            if (run.virtualThreads() > 0) {
                paragraph(String.format(
                        Locale.ROOT,
                        "%s: the threads are those that carry the virtual ones, of which there were %,d at most.",
                        run.name(),
                        run.virtualThreads()));
            }
        }
        if (work.lookUpMillis() > 0) {
            paragraph(
                    work.announced()
                            ? "Look-ups announce that they block, by callBlocking, which only Spindle uses."
                                    + " With --no-announce they do not, and Spindle has to detect it."
                            : "Look-ups do not announce that they block: Spindle has to detect it.");
        }
        out.println();
    }

    private void compare(List<RunResult> runs) {
        Map<Boolean, List<RunResult>> complete = runs.stream()
                .filter(RunResult::complete)
                .collect(Collectors.partitioningBy(run -> run.name().equals(SpindleContender.NAME)));
        List<RunResult> others = complete.getOrDefault(false, List.of());
        for (RunResult ours : complete.getOrDefault(true, List.of())) {
            paragraph("The best of those that handled all events; less is better:");
            Standings.of(ours, others).forEach(this::listed);
        }
    }

    private static String arrivals(Timeline timeline, Speed speed) {
        if (!speed.paced()) {
            return "as fast as they are taken";
        }
        return String.format(
                Locale.ROOT,
                "in %.1f s: %,.0f times as fast as they were",
                speed.nanos(timeline.minutes()) / 1e9,
                speed.factor());
    }

    private static String lookUps(Timeline timeline, SimulatedWork work) {
        long lookUps = timeline.events().stream().filter(work::looksUp).count();
        return String.format(
                Locale.ROOT,
                "waits %d ms for a look-up besides: %,d do, %.1f s of waiting",
                work.lookUpMillis(),
                lookUps,
                lookUps * work.lookUpMillis() / 1e3);
    }

    private void item(String name, String text) {
        out.println(ResultTable.wrapped("%-14s %s".formatted(name, text), " ".repeat(15)));
    }

    private void listed(String line) {
        out.println(ResultTable.wrapped(line, "    "));
    }

    private void paragraph(String text) {
        out.println(ResultTable.wrapped(text, ""));
    }
}
