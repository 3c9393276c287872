// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import dev.spindle.verify.torture.tools.Pause;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/** A task that computes for a short time and resubmits itself, until a submission is refused or the program is over. */
final class Runner implements Runnable {
    private static final int LEAST_NANOS = 200;

    private final Site site;
    private final int nanos;
    private final BooleanSupplier isOver;
    private volatile long work;

    Runner(Site site, int nanos, BooleanSupplier isOver) {
        this.site = site;
        this.nanos = nanos;
        this.isOver = isOver;
    }

    Site site() {
        return site;
    }

    /** Returns the time that the runner has computed, in nanoseconds. */
    long work() {
        return work;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // runs do not overlap
    public void run() {
        Pause.spin(nanos);
        work += Math.max(LEAST_NANOS, nanos);
        if (!isOver.getAsBoolean()) {
            try {
                site.executor().execute(this);
            } catch (RejectedExecutionException e) {
                // The task was refused after a shutdown.
            }
        }
    }

    @Override
    public String toString() {
        return site + " by " + nanos / 1_000 + " us";
    }
}
