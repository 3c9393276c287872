// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import dev.spindle.Spindle;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program made from a seed, which runs once from its start to its end and checks itself. Its text contains the
 * choices made by the seed.
 */
public abstract class RandomProgram {
    /** The time after which an event counts as hanging. */
    protected static final long LIMIT_SECONDS = Timeouts.seconds(20);

    private static final int MOST_TOLD = 10;

    /** Runs the program to its end and returns its count. Throws on a failure. */
    protected abstract int run() throws Exception;

    /** Ends all parts that still run. */
    protected abstract void release();

    /**
     * Runs the program and returns its count.
     *
     * @param kind the word for such a program
     * @throws AssertionError on a failure, with the program
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

    /** Waits for the end of {@code executor}, which is on the threads of {@code spindle}. */
    protected static void awaitTermination(ExecutorService executor, Spindle spindle)
            throws InterruptedException, TimeoutException {
        if (!executor.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException(executor + " has not terminated: " + PoolState.of(spindle));
        }
    }

    /** Throws if there are errors, with the first few. */
    protected static void requireSound(List<String> errors) {
        if (!errors.isEmpty()) {
            throw new AssertionError(
                    errors.size() + " errors: " + errors.subList(0, Math.min(MOST_TOLD, errors.size())));
        }
    }
}
