// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Sends updates of random keys through a new contender in each pass. */
final class Updates implements Subject {
    static final Figure UPDATE = Figure.less("ns_per_update", "ns/update");
    static final Figure UPDATES_PER_SHOWN = Figure.more("updates_per_shown", "updates for each shown");

    /** The maximum time in which the producers of a pass send updates. */
    static final Duration LIMIT = Duration.ofSeconds(1);

    private static final int UPDATES = 100_000_000;
    private static final int LEAST = 100_000;
    private static final int ORDER = 1 << 16;
    private static final int CLOCK_MASK = (1 << 12) - 1;

    private final int keys;
    private final int producers;
    private final long shownNanos;
    private final int share;
    private final Feed.Maker maker;
    private final boolean mayRepeat;
    private final int[] order;
    private final Producers threads;

    Updates(int keys, int producers, long shownNanos, Scale scale, Feed.Maker maker, boolean mayRepeat) {
        this.keys = keys;
        this.producers = producers;
        this.shownNanos = shownNanos;
        this.maker = maker;
        this.mayRepeat = mayRepeat;
        share = (scale.full() ? UPDATES : LEAST) / producers;
        order = new SplittableRandom(1).ints(ORDER, 0, keys).toArray();
        threads = new Producers(producers);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen(keys, producers, shownNanos, mayRepeat);
        long[][] sent = new long[producers][keys];
        long[] updates = new long[producers];
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        CountDownLatch produced = new CountDownLatch(producers);
        Feed feed = maker.open(keys, screen);
        recorder.begin();
        threads.start(producer -> {
            try {
                updates[producer] = produce(producer, feed, sent[producer]);
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
            } finally {
                produced.countDown();
            }
        });
        produced.await();
        feed.end().run();
        long all = LongStream.of(updates).sum();
        recorder.end(all, UPDATE);
        recorder.value(UPDATES_PER_SHOWN, (double) all / Math.max(1, screen.shown()));
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a producer failed", failed);
        }
        recorder.violations(screen.violations(sent));
    }

    private long produce(int producer, Feed feed, long[] sent) {
        long end = System.nanoTime() + LIMIT.toNanos();
        int offset = producer * (ORDER / producers);
        long number = 0;
        while (number < share && ((number & CLOCK_MASK) != 0 || System.nanoTime() < end)) {
            int key = order[(int) (number + offset) & (ORDER - 1)];
            number++;
            feed.updates().accept(new Feed.Tick(key, producer, number));
            sent[key] = number;
        }
        return number;
    }

    @Override
    public void close() {
        threads.close();
    }
}
