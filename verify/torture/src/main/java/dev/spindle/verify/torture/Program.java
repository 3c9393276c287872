// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.OnFull;
import dev.spindle.verify.torture.tools.Threads;
import java.time.Duration;
import java.util.List;

/**
 * All actions on a pool, from its creation to its termination. No action is chosen at random during the run. The times
 * of the pool are in microseconds, and a capacity of 0 means no bound.
 *
 * @param seed the seed of the program, or of the larger program from which this program was shrunk
 * @param stops the shutdowns in order; the last one is that of the pool
 */
record Program(long seed, Pool pool, List<Producer> producers, List<Stop> stops) {
    /**
     * @param keepAlive the keep-alive time of threads
     * @param linger the keep-alive time of keys
     * @param strands the number of strands, of which the last {@code own} have a thread each and form a group
     * @param exact true if a common clock records times, which reveals more faults but orders some accesses of the
     *         tasks
     * @param threads the kind of the thread factory
     */
    record Pool(
            int core,
            int max,
            int keepAlive,
            int linger,
            int capacity,
            int capacityPerKey,
            Policy onFull,
            int keys,
            int strands,
            int own,
            List<View> views,
            boolean exact,
            Threads.Kind threads) {
        Pool {
            views = List.copyOf(views);
            if (keys < 1 || strands < 0) {
                throw new IllegalArgumentException(
                        "a pool needs at least 1 key and 0 strands, has " + keys + " and " + strands);
            }
            if (own < 0 || own > strands) {
                throw new IllegalArgumentException(
                        "from 0 to " + strands + " strands may have a thread of their own, not " + own);
            }
        }

        int lanes() {
            return keys + strands;
        }

        /** Returns true if the lane has its own thread and does not run on the pool. */
        boolean isOwn(int lane) {
            return lane >= lanes() - own;
        }

        /** Returns true if the task of a step runs on the pool. */
        boolean holds(Step step) {
            return step.op().where() != Op.Where.LANE || !isOwn(step.at());
        }

        /** Returns true if a submitter may wait at a bound until there is room or the executor is shut down. */
        boolean blocksLong() {
            return onFull == Policy.BLOCK_LONG || views.stream().anyMatch(view -> view.onFull() == Policy.BLOCK_LONG);
        }

        boolean isBounded(int lane) {
            return capacityPerKey > 0 || (capacity > 0 && !isOwn(lane));
        }
    }

    record View(int concurrency, int capacity, Policy onFull) {
        /** Returns true if the executor runs one task at a time, and no task on a submitter's thread. */
        boolean isSerial() {
            return concurrency == 1 && !callersRun();
        }

        boolean callersRun() {
            return capacity > 0 && onFull == Policy.CALLER_RUNS;
        }
    }

    /** The policies at a bound. */
    enum Policy {
        REJECT,
        BLOCK,
        /** Blocks until there is room or the executor is shut down. */
        BLOCK_LONG,
        DROP_OLDEST,
        CALLER_RUNS;

        OnFull onFull() {
            return switch (this) {
                case REJECT -> OnFull.reject();
                case BLOCK -> OnFull.block(Duration.ofMillis(2));
                case BLOCK_LONG -> OnFull.block(Duration.ofHours(1));
                case DROP_OLDEST -> OnFull.dropOldest();
                case CALLER_RUNS -> OnFull.callerRuns();
            };
        }
    }

    /** A thread that takes its steps {@code rounds} times. */
    record Producer(int rounds, List<Step> steps) {
        Producer {
            steps = List.copyOf(steps);
            if (rounds < 1) {
                throw new IllegalArgumentException("a producer needs at least 1 round, has " + rounds);
            }
        }

        /** Returns the maximum number of tasks that a round submits. */
        int tasks() {
            return steps.stream().mapToInt(Step::tasks).sum();
        }
    }

    /**
     * @param where the kind of executor: the pool, a strand or a logical executor
     * @param at the index of the lane or of the logical executor
     * @param percent the percentage of its rounds that the first producer has begun before the shutdown; 100 if all
     *         producers have ended
     * @param after the next action on the executor after the shutdown
     */
    record Stop(Op.Where where, int at, How how, int percent, After after) {
        Stop(Op.Where where, int at, How how, int percent) {
            this(where, at, how, percent, After.NOTHING);
        }

        Stop with(After other) {
            return new Stop(where, at, how, percent, other);
        }
    }

    /** The actions after a shutdown. */
    enum After {
        NOTHING,
        /** Pauses all lanes of the executor without resuming them. */
        PAUSE,
        CANCEL_PENDING,
        /** Calls {@code shutdownNow} before the executor has terminated. */
        NOW
    }

    /** The ways to shut down. */
    enum How {
        CLOSE,
        SHUTDOWN,
        NOW,
        /** Calls {@code shutdown}, and later {@code shutdownNow}. */
        THEN_NOW,
        /** Calls {@code shutdown} of a strand with a quiet period. */
        GRACEFUL,
        /** Calls {@code shutdown} in a task of the pool. */
        INSIDE;

        boolean isNow() {
            return this == NOW || this == THEN_NOW;
        }
    }

    Program {
        producers = List.copyOf(producers);
        stops = List.copyOf(stops);
        if (producers.isEmpty()) {
            throw new IllegalArgumentException("a program needs a producer");
        }
        if (stops.isEmpty() || stops.get(stops.size() - 1).where() != Op.Where.POOL) {
            throw new IllegalArgumentException("the last stop of a program must be that of its pool");
        }
        producers.forEach(producer -> requirePlaces(producer.steps(), pool));
        if (pool.blocksLong() && (pool.own() > 0 || has(Op.PAUSE, producers))) {
            throw new IllegalArgumentException(
                    "a submitter that waits long at a bound must not delay tasks" + " that make room: with onFull="
                            + Policy.BLOCK_LONG + " there is no " + Op.PAUSE + " and no strand has a thread");
        }
        for (Stop stop : stops) {
            requirePlace(stop.where(), stop.at(), pool, stop);
            if (stop.where() == Op.Where.LANE && stop.at() < pool.keys()) {
                throw new IllegalArgumentException("a key cannot be shut down: " + stop);
            }
            if (stop.how() == How.GRACEFUL && stop.where() != Op.Where.LANE) {
                throw new IllegalArgumentException("only a strand can have a quiet period: " + stop);
            }
        }
    }

    /** Returns true if the lane belongs to a strand with a quiet period. */
    boolean isQuiet(int lane) {
        return stops.stream()
                .filter(stop -> stop.how() == How.GRACEFUL)
                .anyMatch(stop -> stop.at() == lane || (pool.isOwn(stop.at()) && pool.isOwn(lane)));
    }

    private static boolean has(Op op, List<Producer> producers) {
        return producers.stream().anyMatch(producer -> producer.steps().stream().anyMatch(step -> step.has(op)));
    }

    private static void requirePlaces(List<Step> steps, Pool pool) {
        for (Step step : steps) {
            requirePlace(step.op().where(), step.at(), pool, step);
            requirePlaces(step.inner(), pool);
        }
    }

    private static void requirePlace(Op.Where where, int at, Pool pool, Record what) {
        int places = where == Op.Where.LANE
                ? pool.lanes()
                : where == Op.Where.VIEW ? pool.views().size() : 1;
        if (at >= places) {
            throw new IllegalArgumentException(
                    "there are " + places + " of " + where + ", and no number " + at + ": " + what);
        }
    }

    /** Returns the maximum number of tasks that the program submits. */
    long tasks() {
        return producers.stream()
                .mapToLong(producer -> (long) producer.rounds() * producer.tasks())
                .sum();
    }

    /** Returns the number of steps, including inner steps. */
    int steps() {
        return producers.stream().mapToInt(producer -> count(producer.steps())).sum();
    }

    private static int count(List<Step> steps) {
        return steps.stream().mapToInt(step -> 1 + count(step.inner())).sum();
    }

    Program with(Pool other) {
        return new Program(seed, other, producers, stops);
    }

    Program withProducers(List<Producer> other) {
        return new Program(seed, pool, other, stops);
    }

    Program withStops(List<Stop> other) {
        return new Program(seed, pool, producers, other);
    }
}
