// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.executors.Events.Traffic;
import dev.spindle.observe.SpindleMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Floods of one spindle, which stays open for all passes while nothing, its watch, or a scraper observes it. */
final class ObservedFlood implements Subject {
    static final int TASKS = 800_000;

    private static final int KEYS = 1_000;
    private static final int FEWEST = 200;
    private static final double MICROS = 0.1;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Spindle spindle;
    private final int tasks;
    private final Executor @Nullable [] keys; // null for plain tasks
    private final Traffic traffic;
    private final @Nullable Scraper scraper;
    private long passes;

    /** The way of a task into the spindle. */
    enum Path {
        PLAIN,
        KEY,
        HANDLE
    }

    /** What observes the spindle. */
    enum Observer {
        /** Nothing: without the stuck watch, and without samples of times. */
        NONE,
        /** The stuck watch and the samples of times, as they are by default. */
        WATCH,
        /** The same, and a scrape of all meters in each second. */
        SCRAPE
    }

    ObservedFlood(Path path, Observer observer, Scale scale) {
        tasks = scale.of(TASKS, FEWEST);
        traffic = new Traffic(KEYS, tasks, 0, Traffic.Order.UNIFORM);
        SpindleBuilder builder = Spindle.builder();
        if (observer == Observer.NONE) {
            builder.stuckAfter(Duration.ZERO).sampleOneIn(0);
        }
        spindle = builder.build();
        keys = keys(path, spindle);
        scraper = observer == Observer.SCRAPE ? new Scraper(spindle) : null;
    }

    private static Executor @Nullable [] keys(Path path, Spindle spindle) {
        Keyed<Integer> keyed = spindle.keyed("keys");
        return switch (path) {
            case PLAIN -> null;
            case KEY ->
                IntStream.range(0, KEYS)
                        .<Executor>mapToObj(key -> task -> keyed.execute(key, task))
                        .toArray(Executor[]::new);
            case HANDLE -> IntStream.range(0, KEYS).mapToObj(keyed::at).toArray(Executor[]::new);
        };
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        boolean checked = ++passes == 1;
        if (keys == null) {
            plain(checked ? Tally.checked(tasks) : Tally.counted(tasks), recorder);
        } else {
            keyed(checked ? Events.checked(traffic, passes) : Events.timed(traffic, passes), keys, recorder);
        }
    }

    private void plain(Tally tally, Recorder recorder) {
        IntFunction<Runnable> task = tally.tasks(() -> {});
        System.gc(); // collects the harness's garbage before the pass
        recorder.begin();
        for (int index = 0; index < tasks; index++) {
            spindle.execute(task.apply(index));
        }
        tally.await(MICROS);
        long unused = recorder.end(tasks);
        recorder.violations(tally.miscounted());
    }

    private static void keyed(Events events, Executor[] keys, Recorder recorder) throws InterruptedException {
        System.gc(); // collects the harness's garbage before the pass
        recorder.begin();
        int size = events.size();
        for (int event = 0; event < size; event++) {
            keys[events.key(event)].execute(events.task(event));
        }
        if (!events.ledger().await(LIMIT)) {
            throw new StalledException(events.ledger().miscounted() + " of " + size + " events had not run after "
                    + LIMIT.toSeconds() + " s");
        }
        long unused = recorder.end(size);
        recorder.violations(events.ledger().violations());
    }

    @Override
    public void close() {
        if (scraper != null) {
            scraper.close();
        }
        spindle.close();
    }

    /** A thread that reads all meters once a second, as Prometheus would if it were set to its shortest interval. */
    private static final class Scraper implements AutoCloseable {
        private final SpindleMetrics metrics;
        private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        private final CountDownLatch end = new CountDownLatch(1);
        private final Thread thread;

        Scraper(Spindle spindle) {
            metrics = new SpindleMetrics(spindle);
            metrics.bindTo(registry);
            thread = Waits.start("scraper", this::run);
        }

        private void run() {
            try {
                while (!end.await(1, TimeUnit.SECONDS)) {
                    if (registry.scrape().isEmpty()) {
                        throw new IllegalStateException("a scrape has no meters");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            end.countDown();
            Waits.ignoring(thread::join);
            metrics.close();
            registry.close();
        }
    }
}
