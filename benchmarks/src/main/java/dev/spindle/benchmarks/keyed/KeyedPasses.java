// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.StalledException;
import java.time.Duration;

/**
 * One run of a workload after the other, each through a contender made for it, from the first submit to the end of the
 * last event. The contender is made before the clock starts; threads that it starts on demand are started inside.
 *
 * <p>The first run is a checked one. Each draws its keys anew, the same for every contender.
 */
final class KeyedPasses implements Subject {
    static final Figure TIME = Figure.less("ms", "ms");
    static final Figure SWITCHES = Figure.less("voluntary_per_pass", "voluntary switches/pass");

    /** What a contender made for one workload. One thread feeds it and closes it. */
    interface Feed extends AutoCloseable {
        /** Hands over every event of the workload, in order. May return before the events ran. */
        void process(Workload workload);

        /** Ends its threads; everything handed over has run. */
        @Override
        void close();
    }

    /** Makes a contender ready. */
    interface Maker {
        Feed open(Workload workload);
    }

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Maker contender;
    private final Load load;
    private long runs;

    KeyedPasses(Maker contender, Load load) {
        this.contender = contender;
        this.load = load;
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        if (runs == 0) {
            warmUp(recorder);
        }
        Workload workload = Workload.timed(load, ++runs);
        System.gc(); // a collection that the harness caused must not fall into somebody's pass
        run(workload, recorder);
    }

    @Override
    public void warmUp(Recorder forgotten) throws InterruptedException {
        long seed = ++runs;
        run(seed == 1 ? Workload.checked(load.warmUp(), seed) : Workload.timed(load.warmUp(), seed), forgotten);
    }

    private void run(Workload workload, Recorder recorder) throws InterruptedException {
        int threadsBefore = OwnProcess.liveThreads();
        Feed feed = contender.open(workload);
        recorder.begin();
        feed.process(workload);
        if (!workload.completion().await(LIMIT)) {
            throw new StalledException(workload.ledger().miscounted() + " of " + workload.size()
                    + " events had not run after " + LIMIT.toSeconds() + " s");
        }
        recorder.value(TIME, recorder.end(workload.size()) / 1e6);
        recorder.value(SWITCHES, recorder.voluntaryOfPass());
        feed.close();
        OwnProcess.settle(threadsBefore);
        recorder.violations(workload.ledger().violations());
    }

    @Override
    public void close() {}
}
