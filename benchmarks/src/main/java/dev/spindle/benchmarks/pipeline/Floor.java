// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.forks.LatencyHistogram;
import dev.spindle.benchmarks.forks.StalledException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A contender's pipeline at work: it is fed, awaited and checked here. One thread uses it. */
final class Floor implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private final List<Work> works = new ArrayList<>();
    private final Source source;
    private final Line line;
    private final int ends;
    private CountDownLatch done = new CountDownLatch(0);

    Floor(Line.Maker maker, Shape shape, int ring, boolean timed) {
        for (int stage = 0; stage < shape.places().size(); stage++) {
            works.add(new Work(shape.places().get(stage), shape.isEnd(stage)));
        }
        ends = (int) works.stream().filter(Work::isEnd).count();
        source = new Source(timed);
        line = maker.open(shape, works, ring);
    }

    /** Publishes so many events and waits until they have left all stages; returns what went wrong. */
    long run(int events) throws InterruptedException {
        arm(events, null);
        publish(events);
        return await();
    }

    /** Announces so many events. */
    void arm(int events, @Nullable LatencyHistogram delays) {
        done = new CountDownLatch(ends);
        works.forEach(work -> work.arm(source.filled() + events - 1, done, delays));
    }

    /** Publishes some of them; waits while there is no room. */
    void publish(int events) throws InterruptedException {
        line.publish(source, events);
    }

    /**
     * Waits until the last of those announced has left all stages.
     *
     * @return what was lost, doubled or out of order
     * @throws StalledException if that takes a minute
     */
    long await() throws InterruptedException {
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException("the last event had not left all stages after " + PATIENCE_SECONDS + " s");
        }
        return works.stream()
                .mapToLong(work -> work.violations(source.filled()))
                .sum();
    }

    @Override
    public void close() {
        line.close();
    }
}
