// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how far a run is: a bar that redraws itself on a terminal, and elsewhere a line every few seconds and one
 * at the end, so that a log stays readable. One run at a time; the drawing is on a thread of its own.
 */
final class ProgressBar implements AutoCloseable {

    private static final int WIDTH = 30;
    private static final long BAR_PERIOD_MILLIS = 100;
    private static final long LINE_PERIOD_MILLIS = 5_000;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private record Run(String name, LongSupplier done, long total) {

        String bar(long now) {
            int filled = total == 0 ? WIDTH : (int) (WIDTH * now / total);
            String graph = "#".repeat(filled) + ".".repeat(WIDTH - filled);
            return String.format(Locale.ROOT, "  %-26s [%s] %3d %%  %,d events", name, graph, percent(now), now);
        }

        String line(long now) {
            return String.format(Locale.ROOT, "  %s: %d %%, %,d of %,d events", name, percent(now), now, total);
        }

        /** How many events are done; a supplier that counts more than there are must not widen the bar. */
        long now() {
            return Math.min(done.getAsLong(), total);
        }

        private long percent(long now) {
            return total == 0 ? 100 : 100 * now / total;
        }
    }

    private final PrintWriter err;
    private final boolean bar;
    private final ScheduledExecutorService timer;
    // Guarded by this, like the writing: a drawing must not follow the end of its run.
    private Run current = new Run("", () -> 0, 0);
    private boolean running;

    ProgressBar(PrintWriter err, boolean bar) {
        this(err, bar, bar ? BAR_PERIOD_MILLIS : LINE_PERIOD_MILLIS);
    }

    ProgressBar(PrintWriter err, boolean bar, long periodMillis) {
        this.err = err;
        this.bar = bar;
        this.timer = Executors.newSingleThreadScheduledExecutor(body -> {
            Thread thread = new Thread(body, "progress");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleAtFixedRate(this::show, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    /** Begins a run of so many events, of which {@code done} tells how many are done. */
    synchronized void start(String name, LongSupplier done, long total) {
        current = new Run(name, done, total);
        running = true;
        if (bar) {
            show();
        }
    }

    /** Shows how far the run is now; nothing between runs. */
    synchronized void show() {
        if (running) {
            long now = current.now();
            if (bar) {
                err.print(CLEAR_LINE + current.bar(now));
            } else {
                err.println(current.line(now));
            }
            err.flush();
        }
    }

    /** Ends the run, and leaves a line that says how long it took. */
    synchronized void finish(long wallNanos) {
        long now = current.now();
        running = false;
        err.print(bar ? CLEAR_LINE + current.bar(now) : current.line(now));
        err.println(String.format(Locale.ROOT, " in %.2f s", wallNanos / 1e9));
        err.flush();
    }

    /** Ends the run without a trace: it was not worth one. */
    synchronized void erase() {
        running = false;
        if (bar) {
            err.print(CLEAR_LINE);
            err.flush();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
