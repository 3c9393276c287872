// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import java.lang.ref.WeakReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a spindle, or of a strand with a thread of its own, one for each scrape. Tools that scrape read
 * value after value and do not say when they begin. A value that is read for the second time from a snapshot belongs to
 * the next scrape, so the next snapshot is taken. Thread-safe.
 */
final class Snapshots {
    /*
     * The monitor guards all fields. A snapshot is taken under the monitor, so that concurrent scrapes share it; this
     * runs no user code.
     */
    /** The duration of a pass from which on the time between two passes is bounded. Not measured. */
    private static final long LONG_PASS_NANOS = 1_000_000;

    /**
     * The minimum time between the begins of two long passes, as a multiple of the duration of a pass. Concurrent
     * scrapes, which read each value twice, then take up a tenth of a processor at most.
     */
    private static final int PAUSE = 10; // a bound by arithmetic; not measured

    private final String name;
    private final WeakReference<Object> executor; // U3
    private final @Nullable LongSupplier clock;
    private @Nullable Snapshot last;
    private long number;
    private long begun;
    private long cost;

    /** A value that is read once in each scrape. */
    static final class Reader {
        private long seen; // the number of the last snapshot; guarded by the monitor of the Snapshots
    }

    Snapshots(Object executor) {
        this(executor, null);
    }

    /** Creates the snapshots of an executor, with the clock of the executor, or another clock in tests. */
    Snapshots(Object executor, @Nullable LongSupplier clock) {
        this.executor = new WeakReference<>(executor);
        this.clock = clock;
        name = Pool.of(executor).name();
    }

    /** Returns the spindle, or null if it was garbage collected. */
    @Nullable
    Spindle spindle() {
        return executor.get() instanceof Spindle spindle ? spindle : null;
    }

    /** Returns the name of the spindle, or of the strand. */
    String name() {
        return name;
    }

    /** Returns the snapshot from which {@code reader} has to read, or null if the spindle was garbage collected. */
    synchronized @Nullable Snapshot next(Reader reader) {
        Object referent = executor.get();
        if (referent == null) {
            last = null;
            return null;
        }
        Pool of = Pool.of(referent);
        Snapshot current = last;
        if (current == null || (reader.seen == number && mayRead(of))) {
            begun = nanoTime(of);
            current = Snapshot.of(of);
            cost = nanoTime(of) - begun;
            last = current;
            number++;
        }
        reader.seen = number;
        return current;
    }

    /** Makes the next read take a snapshot. */
    synchronized void expire() {
        last = null;
    }

    private long nanoTime(Pool of) {
        return clock == null ? of.nanoTime() : clock.getAsLong();
    }

    private boolean mayRead(Pool of) {
        return cost < LONG_PASS_NANOS || nanoTime(of) - begun >= PAUSE * cost;
    }

    /** Returns the number of snapshots so far. */
    synchronized long count() {
        return number;
    }
}
