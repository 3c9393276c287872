// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.measure.OwnProcess;
import java.time.Duration;

/**
 * Runs each pass of events through a new contender, timed from the first submission to the end of the last event. The
 * contender is created before the pass is timed, but may start its threads on demand.
 *
 * <p>The first pass checks the order of each key. Each pass draws keys with a new seed; the seeds are the same for
 * every contender.
 */
final class KeyedPasses implements Subject {
    static final Figure TIME = Figure.less("ms", "ms");
    static final Figure SWITCHES = Figure.less("voluntary_per_pass", "voluntary switches/pass");

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Maker contender;
    private final Traffic traffic;
    private long runs;

    /** A contender created for one pass. One thread submits the events and closes the contender. */
    interface Feed extends AutoCloseable {
        /** Submits all events in order. The method may return before the events have run. */
        void process(Events events);

        /** Stops the contender's threads; called after all events have run. */
        @Override
        void close();
    }

    interface Maker {
        Feed open(Events events);
    }

    KeyedPasses(Maker contender, Traffic traffic) {
        this.contender = contender;
        this.traffic = traffic;
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        if (runs == 0) {
            warmUp(recorder);
        }
        Events events = Events.timed(traffic, ++runs);
        System.gc(); // collects the harness's garbage before the pass
        run(events, recorder);
    }

    @Override
    public void warmUp(Recorder forgotten) throws InterruptedException {
        long seed = ++runs;
        run(seed == 1 ? Events.checked(traffic.warmUp(), seed) : Events.timed(traffic.warmUp(), seed), forgotten);
    }

    private void run(Events events, Recorder recorder) throws InterruptedException {
        int threadsBefore = OwnProcess.liveThreads();
        double switchesBefore = recorder.costs().voluntary();
        Feed feed = contender.open(events);
        recorder.begin();
        feed.process(events);
        if (!events.ledger().await(LIMIT)) {
            throw new StalledException(events.ledger().miscounted() + " of " + events.size()
                    + " events had not run after " + LIMIT.toSeconds() + " s");
        }
        recorder.value(TIME, recorder.end(events.size()) / 1e6);
        recorder.value(SWITCHES, recorder.costs().voluntary() - switchesBefore);
        feed.close();
        OwnProcess.settle(threadsBefore);
        recorder.violations(events.ledger().violations());
    }

    @Override
    public void close() {}
}
