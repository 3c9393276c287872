// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows the figures of a run in progress as a line of the table. On a terminal the line is redrawn; otherwise a line is
 * added every two seconds. A timer thread shows one run at a time.
 */
final class Progress implements AutoCloseable {

    private static final long REDRAW_MILLIS = 200;
    private static final long LINE_MILLIS = 2_000;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private record Run(String name, Supplier<Figures> figures) {}

    private final PrintWriter err;
    private final boolean live;
    private final ScheduledExecutorService timer;
    // Guarded by this. The writing is also guarded by this, so that no line of a run is written after {@link #stop}.
    private @Nullable Run current;

    /**
     * Creates a progress display on the given writer.
     *
     * @param live true if the line is redrawn
     */
    Progress(PrintWriter err, boolean live) {
        this(err, live, live ? REDRAW_MILLIS : LINE_MILLIS);
    }

    Progress(PrintWriter err, boolean live, long periodMillis) {
        this.err = err;
        this.live = live;
        this.timer = Executors.newSingleThreadScheduledExecutor(body -> {
            Thread thread = new Thread(body, "progress");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleAtFixedRate(this::show, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    /** Starts to show a run. */
    synchronized void start(String name, Supplier<Figures> figures) {
        current = new Run(name, figures);
    }

    /** Shows the current figures, if there is a run. */
    synchronized void show() {
        Run run = current;
        if (run == null) {
            return;
        }
        String row = ResultTable.row(run.name(), run.figures().get());
        if (live) {
            err.print(CLEAR_LINE + row);
        } else {
            err.println(row);
        }
        err.flush();
    }

    /** Stops showing the run. If the line is redrawn, it is erased. */
    synchronized void stop() {
        current = null;
        if (live) {
            err.print(CLEAR_LINE);
            err.flush();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
