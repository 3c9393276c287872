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
 * Shows the figures of a run while it goes on, as a line of the table: on a terminal one that redraws itself, and
 * elsewhere a new one every few seconds, so that a log stays readable. One run at a time; the drawing is on a thread of
 * its own.
 */
final class Progress implements AutoCloseable {

    private static final long REDRAW_MILLIS = 200;
    private static final long LINE_MILLIS = 2_000;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private record Run(String name, Supplier<Figures> figures) {}

    private final PrintWriter err;
    private final boolean live;
    private final ScheduledExecutorService timer;
    // Guarded by this, like the writing: a drawing must not follow the end of its run.
    private @Nullable Run current;

    /**
     * Progress on the given writer.
     *
     * @param live whether the line redraws itself
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

    /** Begins a run. */
    synchronized void start(String name, Supplier<Figures> figures) {
        current = new Run(name, figures);
    }

    /** Shows how far the run is now; nothing between runs. */
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

    /** Ends the run; the line that redraws itself makes room for the final one. */
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
