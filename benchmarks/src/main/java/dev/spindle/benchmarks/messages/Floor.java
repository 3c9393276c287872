// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder.LatencyHistogram;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Subject.PassSize;
import dev.spindle.benchmarks.compare.ThreadCosts;
import dev.spindle.benchmarks.compare.Waits;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Publishes events to a contender's pipeline, waits until the events have left all stages, and checks them. This class
 * is not thread-safe.
 */
final class Floor {
    static final Figure EVENT = Figure.less("ns_per_event", "ns/event");
    static final Figure IDLE_CPU = Figure.less("idle_cpu_percent", "CPU of its threads while idle, % of a core");
    static final Figure.Times DELAY = Figure.Times.micros("delay", "to the last stage");
    static final Figure PACED_CPU = Figure.less("paced_cpu_percent", "CPU of its threads, % of a core");
    private static final int SOME_EVENTS = 10_000;
    private final List<Work> works;
    private final Line.Source source;
    private final Line line;
    private CountDownLatch done = new CountDownLatch(0);

    /** @param timed true if each event stores the time of its publication */
    Floor(Line.Maker maker, List<Work> works, int ring, boolean timed) {
        this.works = works;
        source = new Line.Source(timed);
        line = maker.open(works, ring);
    }

    /** Publishes enough events to be timed, as fast as possible. */
    static Subject flow(Line.Maker maker, List<Work> works, int ring) {
        Floor floor = new Floor(maker, works, ring, false);
        PassSize size = new PassSize(20_000, 10_000_000);
        return Subject.of(
                recorder -> {
                    int events = size.size();
                    recorder.begin();
                    long violations = floor.run(events);
                    size.took(recorder.end(events, EVENT));
                    recorder.violations(violations);
                },
                floor.line.ending());
    }

    /** Measures stages that have handled events and are then idle for ten seconds. */
    static Subject idle(Line.Maker maker, int stages, int ring, Subject.Scale scale) {
        Floor floor = new Floor(maker, Work.chain(stages), ring, false);
        return Subject.of(
                recorder -> {
                    recorder.violations(floor.run(SOME_EVENTS));
                    ThreadCosts earlier = ThreadCosts.before();
                    long start = System.nanoTime();
                    Thread.sleep(scale.of(10_000, 1));
                    long nanos = System.nanoTime() - start;
                    recorder.value(
                            IDLE_CPU, 100 * recorder.contenderSince(earlier).cpuNanos() / nanos);
                    recorder.violations(floor.run(SOME_EVENTS));
                },
                floor.line.ending());
    }

    /**
     * Publishes one event per millisecond. The delay of an event is the time from its publication until the last stage
     * handles it.
     */
    static Subject paced(Line.Maker maker, int stages, int ring, Subject.Scale scale) {
        Floor floor = new Floor(maker, Work.chain(stages), ring, true);
        return Subject.of(
                recorder -> {
                    recorder.violations(floor.run(SOME_EVENTS) + floor.paced(scale.of(1_000, 20), null));
                    int events = scale.of(3_000, 20);
                    ThreadCosts earlier = ThreadCosts.before();
                    recorder.begin();
                    long violations = floor.paced(events, recorder.latency(DELAY));
                    long nanos = recorder.end(events);
                    recorder.value(
                            PACED_CPU, 100 * recorder.contenderSince(earlier).cpuNanos() / nanos);
                    recorder.violations(violations);
                },
                floor.line.ending());
    }

    /** Publishes {@code events} events, waits until they have left all stages, and returns the number of violations. */
    long run(int events) throws InterruptedException {
        announce(events, null);
        line.publish().events(source, events);
        return await();
    }

    private long paced(int events, @Nullable LatencyHistogram delays) throws InterruptedException {
        announce(events, delays);
        long due = System.nanoTime();
        for (int i = 0; i < events; i++) {
            Waits.until(due);
            line.publish().events(source, 1);
            due += 1_000_000;
        }
        return await();
    }

    private void announce(int events, @Nullable LatencyHistogram delays) {
        done = new CountDownLatch((int) works.stream().filter(Work::isEnd).count());
        works.forEach(work -> work.announce(source.filled() + events - 1, done, delays));
    }

    /** Waits until the last event has left all stages, and returns the number of violations. */
    private long await() throws InterruptedException {
        Waits.await(done, "the last event had not left all stages");
        return works.stream()
                .mapToLong(work -> work.violations(source.filled()))
                .sum();
    }
}
