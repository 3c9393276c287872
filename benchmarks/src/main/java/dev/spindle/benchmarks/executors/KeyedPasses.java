// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.OwnProcess;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.executors.Events.Traffic;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.IntStream;

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

    private final Function<Events, Feed> contender;
    private final Traffic traffic;
    private long runs;

    /**
     * A contender created for one pass, which one thread uses.
     *
     * @param process submits all events in order; may return before the events have run
     * @param ending stops the contender's threads; called after all events have run
     */
    record Feed(Runnable process, Runnable ending) {}

    /** Returns a contender that submits each event to the executor of its key. */
    static Feed submitting(Events events, SerialExecutors executors) {
        Executor[] keys = executors.executors().toArray(Executor[]::new);
        Runnable process = () -> {
            int size = events.size();
            for (int event = 0; event < size; event++) {
                keys[events.key(event)].execute(events.task(event));
            }
        };
        return new Feed(process, executors::close);
    }

    /**
     * Returns the lower bound of the time: each of one thread per processor runs the events of its keys in order,
     * without a queue. Keys are assigned to the threads in descending order of their number of events, which balances
     * the load. Each thread's events are in an array before the pass is timed.
     */
    static Feed limit(Events events, int processors) {
        int[] eventsOfKey = new int[events.keys()];
        IntStream.range(0, events.size()).forEach(event -> eventsOfKey[events.key(event)]++);
        int[] load = new int[processors];
        int[] threadOfKey = new int[events.keys()];
        IntStream.range(0, events.keys())
                .boxed()
                .sorted(Comparator.comparingInt((Integer key) -> -eventsOfKey[key]))
                .forEach(key -> {
                    int lightest = IntStream.range(0, processors).reduce(0, (a, b) -> load[b] < load[a] ? b : a);
                    threadOfKey[key] = lightest;
                    load[lightest] += eventsOfKey[key];
                });
        Runnable[][] tasks = IntStream.range(0, processors)
                .mapToObj(own -> IntStream.range(0, events.size())
                        .filter(event -> threadOfKey[events.key(event)] == own)
                        .mapToObj(events::task)
                        .toArray(Runnable[]::new))
                .toArray(Runnable[][]::new);
        Producers threads = new Producers(processors);
        Runnable process = () -> threads.start(own -> {
            for (Runnable task : tasks[own]) {
                task.run();
            }
        });
        return new Feed(process, threads::close);
    }

    KeyedPasses(Function<Events, Feed> contender, Traffic traffic) {
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
        Feed feed = contender.apply(events);
        recorder.begin();
        feed.process.run();
        if (!events.ledger().await(LIMIT)) {
            throw new StalledException(events.ledger().miscounted() + " of " + events.size()
                    + " events had not run after " + LIMIT.toSeconds() + " s");
        }
        recorder.value(TIME, recorder.end(events.size()) / 1e6);
        recorder.value(SWITCHES, recorder.costs().voluntary() - switchesBefore);
        feed.ending.run();
        OwnProcess.settle(threadsBefore);
        recorder.violations(events.ledger().violations());
    }

    @Override
    public void close() {}
}
