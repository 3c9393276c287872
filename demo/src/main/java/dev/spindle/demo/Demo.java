// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.FlightData;
import dev.spindle.demo.flights.Timeline;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** Replays flights with several contenders, one after another, and writes the report. */
final class Demo {

    /**
     * The number of events in the warm-up run of each contender. Without a warm-up, the first contender would pay for
     * the compilation of the common code.
     */
    private static final int WARM_UP_EVENTS = 8_000;

    /**
     * The settings of a replay.
     *
     * @param work the simulated work of an event
     * @param speed the speed of the replay
     * @param overrunNanos the time for which a run may continue after the arrival of its last event
     * @param live true if the progress line is redrawn
     */
    record Settings(SimulatedWork work, Speed speed, long overrunNanos, boolean live) {}

    private final Report report;
    private final PrintWriter err;
    private final Settings settings;

    Demo(PrintWriter out, PrintWriter err, Settings settings) {
        this.report = new Report(out);
        this.err = err;
        this.settings = settings;
    }

    /**
     * Runs all contenders; at least one flight must name its aircraft.
     *
     * @return true if each contender kept its promises
     */
    boolean run(FlightData data, List<Contender> contenders) throws InterruptedException {
        report.story(contenders);
        Timeline timeline = Timeline.of(data.flights());
        Replay replay = new Replay(timeline, settings.work(), settings.speed(), settings.overrunNanos());
        Replay.Reference reference = replay.reference();
        warmUp(timeline, contenders);
        report.introduce(data, timeline, settings, reference);
        List<RunResult> runs = new ArrayList<>();
        try (Progress progress = new Progress(err, settings.live())) {
            for (Contender contender : contenders) {
                RunResult run = replay.run(contender, progress);
                report.row(run);
                runs.add(run);
            }
        }
        if (!VirtualContender.available()) {
            report.absent(
                    VirtualContender.NAME,
                    "need JDK " + VirtualContender.OLDEST_JAVA + "; this is JDK "
                            + Runtime.version().feature());
        }
        return report.conclude(runs, settings.work(), reference.states());
    }

    private void warmUp(Timeline timeline, List<Contender> contenders) throws InterruptedException {
        Replay replay = new Replay(timeline.head(WARM_UP_EVENTS), settings.work(), Speed.MAX, settings.overrunNanos());
        try (Progress unseen = new Progress(new PrintWriter(Writer.nullWriter()), false)) {
            for (Contender contender : contenders) {
                replay.run(contender, unseen);
            }
        }
    }
}
