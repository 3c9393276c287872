// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * A solution with the JDK alone: one or more single-thread executors, of which each aircraft always uses the same one.
 *
 * @param name the name in the table
 * @param method a short description of the solution
 * @param threads the number of executors
 * @param choice maps an aircraft to an integer; aircraft with equal integers use the same executor
 */
record ExecutorsContender(String name, String method, int threads, ToIntFunction<Aircraft> choice)
        implements Contender {

    static final int AIRLINES = 16;

    static ExecutorsContender oneThread() {
        return new ExecutorsContender("one thread", "handles all events, one after the other", 1, aircraft -> 0);
    }

    /** Returns a contender with one executor for each of the sixteen airlines in the data. */
    static ExecutorsContender byAirline() {
        return new ExecutorsContender(
                AIRLINES + " executors, by airline",
                "a single-thread executor for each airline",
                AIRLINES,
                Aircraft::airline);
    }

    static ExecutorsContender byHash(int threads) {
        return new ExecutorsContender(
                threads + " threads, by hash",
                "the hash of the aircraft picks one",
                threads,
                aircraft -> aircraft.tail().hashCode());
    }

    @Override
    public boolean promisesOrder() {
        return true;
    }

    @Override
    public Dispatcher open(ThreadLedger ledger) {
        return new OnExecutors(
                Stream.generate(() -> Executors.newSingleThreadExecutor(ledger))
                        .limit(threads)
                        .toList(),
                choice);
    }

    /** Shuts the executor down and waits until all its tasks have run. */
    static void end(ExecutorService executor) {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(1, TimeUnit.DAYS)) {
                throw new IllegalStateException("an executor is still running after a day");
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an executor ended", e);
        }
    }

    private record OnExecutors(List<ExecutorService> executors, ToIntFunction<Aircraft> choice) implements Dispatcher {

        @Override
        public void dispatch(Aircraft aircraft, Runnable handling) {
            executors
                    .get(Math.floorMod(choice.applyAsInt(aircraft), executors.size()))
                    .execute(handling);
        }

        @Override
        public void close() {
            executors.forEach(ExecutorService::shutdown);
            executors.forEach(ExecutorsContender::end);
        }
    }
}
