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
 * Shows the figures of a run during the run as a line of the table. On a terminal the line is redrawn; otherwise a new
 * line is written every few seconds, so that a log stays readable. Shows one run at a time, on its own thread.
 */
final class Progress implements AutoCloseable {

    private static final long REDRAW_MILLIS = 200;
    private static final long LINE_MILLIS = 2_000;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private record Run(String name, Supplier<Figures> figures) {}

    private final PrintWriter err;
    private final boolean live;
    private final ScheduledExecutorService timer;
    // Guarded by this, like the writing, so that no line is drawn after the end of its run.
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

    /** Starts showing a run. */
    synchronized void start(String name, Supplier<Figures> figures) {
        current = new Run(name, figures);
    }

    /** Shows the present figures of the run, if there is one. */
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

    /** Stops showing the run. A redrawn line is erased to make room for the final one. */
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
