// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import dev.spindle.Spindle;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program generated from a seed, which runs once and checks itself. The {@code toString} of a program describes the
 * choices that the seed determined.
 */
public abstract class RandomProgram {
    /** The time after which a wait fails. */
    protected static final long LIMIT_SECONDS = Timeouts.seconds(20);

    private static final int MOST_TOLD = 10;

    /**
     * Runs the program to its end and returns the number of counted events. The method throws an exception or error on
     * a failure.
     */
    protected abstract int run() throws Exception;

    /** Releases all threads of the program; called after each run. */
    protected abstract void release();

    /**
     * Runs the program, releases its threads, and returns its count.
     *
     * @param kind the kind of program, in the singular
     * @throws AssertionError on a failure; the message describes the program
     */
    public final int run(String kind, long seed) {
        try {
            return run();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(kind + " of seed " + seed + ", " + this + ": " + e, e);
        } finally {
            release();
        }
    }

    protected static void shutDown(Spindle spindle) throws InterruptedException, TimeoutException {
        spindle.shutdown();
        awaitTermination(spindle, spindle);
    }

    /** Waits for the termination of {@code executor}, whose tasks run on {@code spindle}. */
    protected static void awaitTermination(ExecutorService executor, Spindle spindle)
            throws InterruptedException, TimeoutException {
        if (!executor.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException(executor + " has not terminated: " + PoolState.of(spindle));
        }
    }

    /** Throws an error with the first few messages if the list is not empty. */
    protected static void requireSound(List<String> errors) {
        if (!errors.isEmpty()) {
            throw new AssertionError(
                    errors.size() + " errors: " + errors.subList(0, Math.min(MOST_TOLD, errors.size())));
        }
    }
}
