// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Replays flights with several contenders, one after the other, and reports. */
final class Demo {

    /** Events that each contender runs unmeasured first, so that none pays for compiling what the next one uses. */
    private static final int WARM_UP_EVENTS = 20_000;

    /**
     * What a run can be told.
     *
     * @param work atomic increments per event of an aircraft
     * @param speed of the replay
     * @param bar whether progress is a bar, or else lines
     * @param boards whether to write the last boards
     */
    record Settings(int work, Speed speed, boolean bar, boolean boards) {}

    private final PrintWriter out;
    private final PrintWriter err;
    private final Settings settings;

    Demo(PrintWriter out, PrintWriter err, Settings settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    /**
     * Runs all contenders on the flights; the last one is what the others are compared with.
     *
     * @return whether all of them ended alike and in order
     */
    boolean run(FlightData data, List<Contender> contenders) throws InterruptedException {
        Timeline timeline = Timeline.of(data.flights());
        describe(data, timeline, contenders.size());
        List<RunResult> runs = new ArrayList<>();
        try (ProgressBar progress = new ProgressBar(err, settings.bar())) {
            warmUp(timeline, contenders, progress);
            Replay replay = new Replay(timeline, settings.work(), settings.speed());
            for (Contender contender : contenders) {
                RunResult run = replay.run(contender, progress);
                progress.finish(run.wallNanos());
                runs.add(run);
            }
        }
        Report report = new Report(out);
        boolean passed = report.write(runs);
        if (settings.boards()) {
            report.writeBoards(runs.get(0));
        }
        return passed;
    }

    private void warmUp(Timeline timeline, List<Contender> contenders, ProgressBar progress)
            throws InterruptedException {
        Replay replay = new Replay(timeline.head(WARM_UP_EVENTS), settings.work(), Speed.MAX);
        for (Contender contender : contenders) {
            replay.run(contender, progress);
            progress.erase();
        }
    }

    private void describe(FlightData data, Timeline timeline, int contenders) {
        out.printf(Locale.ROOT, "Flights: %,d from %s%n", data.flights().size(), data.source());
        out.printf(
                Locale.ROOT,
                "         %,d cancelled; %,d name no aircraft: boards and counts only; %,d landings not known%n",
                data.cancelled(),
                data.unassigned(),
                data.landingsUnknown());
        out.printf(
                Locale.ROOT,
                "Replay:  %,d events of %,d aircraft over %.1f days, %,d atomic increments of work per move%n",
                timeline.events().size(),
                timeline.tails().size(),
                timeline.minutes() / (double) LocalClock.DAY,
                settings.work());
        if (settings.speed().paced()) {
            double seconds = settings.speed().nanos(timeline.minutes()) / 1e9;
            out.printf(
                    Locale.ROOT,
                    "         at %,.0f times real time: %,.1f s for each of the %d runs, %,.1f s in all%n",
                    settings.speed().factor(),
                    seconds,
                    contenders,
                    seconds * contenders);
        }
        out.flush();
    }
}
