// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * One pool from its first task to the end of its last thread: producers submit everything that there is, the pool is ended
 * while they do so, and then every task is accounted for.
 */
final class Round {
    private static final long AFTER_MILLIS = 5_000;

    private final Shape shape;
    private final Duration limit;
    private final SplittableRandom random;
    private final List<String> violations = new ArrayList<>();

    /**
     * What a round found.
     *
     * @param fates how many tasks came to which end
     * @param violations what was wrong; empty when all is well
     */
    record Result(Shape shape, int tasks, int peakThreads, Map<String, Integer> fates, List<String> violations) {}

    private Round(Shape shape, Duration limit) {
        this.shape = shape;
        this.limit = limit;
        random = new SplittableRandom(~shape.seed());
    }

    /**
     * Runs a round.
     *
     * @param length how long the producers submit before the end begins, about
     * @param limit how long the pool may take to terminate
     */
    static Result run(Shape shape, Duration length, Duration limit) throws InterruptedException {
        return new Round(shape, limit).run(length);
    }

    private Result run(Duration length) throws InterruptedException {
        Ledger ledger = new Ledger(shape.drops());
        try (Target target = new Target(shape, ledger)) {
            Work work = new Work(target);
            List<Thread> submitters = new ArrayList<>();
            for (int producer = 0; producer < shape.producers(); producer++) {
                Producer body = new Producer(work, random.split(), 0);
                submitters.add(start(() -> guarded(body, ledger), "soak-producer-" + producer));
            }
            Thread.sleep(length.toMillis() / 2 + random.nextLong(length.toMillis() + 1));
            submitters.add(start(() -> guarded(() -> end(target), ledger), "soak-end"));
            boolean ended = target.spindle().awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                violations.add("the pool has not terminated in " + limit + ": " + State.of(target.spindle()));
            }
            join(submitters, "has not ended", target.spindle());
            if (ended) {
                join(target.threads(), "of the pool is left", target.spindle());
            }
            SpindleStats stats = target.spindle().stats();
            if (stats.peakThreads() > shape.max()) {
                violations.add(
                        "there were " + stats.peakThreads() + " threads, at most " + shape.max() + " are allowed");
            }
            violations.addAll(ledger.violations());
            return new Result(shape, ledger.size(), stats.peakThreads(), ledger.fates(), violations);
        }
    }

    private static Thread start(Runnable body, String name) {
        Thread thread = Target.daemon(body, name);
        thread.start();
        return thread;
    }

    private static void guarded(Runnable body, Ledger ledger) {
        try {
            body.run();
        } catch (Throwable t) {
            StackTraceElement[] frames = t.getStackTrace();
            ledger.violation(
                    Thread.currentThread().getName() + " got " + t + (frames.length == 0 ? "" : " at " + frames[0]));
        }
    }

    private void end(Target target) {
        Spindle spindle = target.spindle();
        switch (shape.end()) {
            case CLOSE -> spindle.close();
            case SHUTDOWN -> spindle.shutdown();
            case SHUTDOWN_NOW -> now(target);
            case SHUTDOWN_THEN_NOW -> {
                spindle.shutdown();
                Work.spin(random.nextInt(2_000_000));
                now(target);
            }
        }
    }

    private static void now(Target target) {
        target.ledger().interrupting();
        target.ledger().returned(target.spindle().shutdownNow());
    }

    private void join(List<Thread> threads, String fault, Spindle spindle) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AFTER_MILLIS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                violations.add("thread " + thread.getName() + " " + fault + ": " + State.of(spindle));
                return;
            }
        }
    }
}
