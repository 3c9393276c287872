// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Updates of random keys from some producers, through a fresh contender in each pass. */
final class Traffic implements Subject {
    /** A pass ends after this time, with fewer updates. */
    static final Duration LIMIT = Duration.ofSeconds(1);

    private static final int UPDATES = 100_000_000;
    private static final int LEAST = 100_000;
    private static final int ORDER = 1 << 16;
    private static final int CLOCK_MASK = (1 << 12) - 1;
    private static final long SEED = 1;

    private final Load load;
    private final int share;
    private final Feed.Maker maker;
    private final boolean mayRepeat;
    private final int[] order = new int[ORDER];
    private final Producers producers;

    /** @param mayRepeat whether the contender's algorithm may show an update twice */
    Traffic(Load load, Scale scale, Feed.Maker maker, boolean mayRepeat) {
        this.load = load;
        this.maker = maker;
        this.mayRepeat = mayRepeat;
        share = (scale.full() ? UPDATES : LEAST) / load.producers();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < ORDER; i++) {
            order[i] = random.nextInt(load.keys());
        }
        producers = new Producers(load.producers());
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen(load.keys(), load.producers(), load.shownNanos());
        long[][] sent = new long[load.producers()][load.keys()];
        long[] updates = new long[load.producers()];
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        CountDownLatch produced = new CountDownLatch(load.producers());
        try (Feed feed = maker.open(load.keys(), screen)) {
            recorder.begin();
            producers.start(producer -> {
                try {
                    updates[producer] = produce(producer, feed, sent[producer]);
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                } finally {
                    produced.countDown();
                }
            });
            produced.await();
            feed.finish();
            long all = LongStream.of(updates).sum();
            recorder.value(CoalesceComparison.UPDATE, (double) recorder.end(all) / all);
            recorder.value(CoalesceComparison.UPDATES_PER_SHOWN, (double) all / Math.max(1, screen.shown()));
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a producer failed", failed);
        }
        recorder.violations(screen.backwards() + screen.stale(sent) + (mayRepeat ? 0 : screen.repeated()));
    }

    private long produce(int producer, Feed feed, long[] sent) {
        long end = System.nanoTime() + LIMIT.toNanos();
        int offset = producer * (ORDER / load.producers());
        long number = 0;
        while (number < share && ((number & CLOCK_MASK) != 0 || System.nanoTime() < end)) {
            int key = order[(int) (number + offset) & (ORDER - 1)];
            number++;
            feed.update(new Tick(key, producer, number));
            sent[key] = number;
        }
        return number;
    }

    @Override
    public void close() {
        producers.close();
    }
}
