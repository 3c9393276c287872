// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.metrics;

import dev.spindle.Spindle;
import dev.spindle.gateway.loop.FailureLog;
import dev.spindle.gateway.loop.InTime;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The access log: a line for each request, collected in memory and written in batches by a worker, so that no event
 * loop waits for a disk.
 *
 * <p>Any thread may add lines. {@link #close} writes the remaining lines, and does not close the stream.
 */
public final class AccessLog {
    /*
     * The monitor guards `lines` and `scheduled`, and is held only to append or to take. `disk` is held while a batch
     * is written, by a worker or by close(), never by an event loop.
     *
     * AccessLog-1  While lines wait, a batch is scheduled or being written and `scheduled` is true, or scheduling
     *              failed and the next line schedules a batch. Workers have at most one such batch, so lines keep their
     *              order.
     * AccessLog-2  At most `MOST_CHARS` characters wait. Further lines are dropped and counted.
     */
    /** The maximum number of characters that wait to be written. Not measured. */
    private static final int MOST_CHARS = 4 << 20;
    /** The time for which lines are collected before they are written. Not measured. */
    private static final Duration BATCH = Duration.ofMillis(200);

    private final Spindle spindle;
    private final boolean on;
    /** The stream; guarded by `disk`. */
    private @Nullable OutputStream out;

    private final FailureLog failures;
    private final LongAdder dropped = new LongAdder();
    private final Object disk = new Object();
    private StringBuilder lines = new StringBuilder();
    private boolean scheduled;

    /**
     * Creates a log.
     *
     * @param out the stream, written to by one thread at a time; null for no log
     * @param failures the log for exceptions of writes
     */
    public AccessLog(Spindle spindle, @Nullable OutputStream out, FailureLog failures) {
        this.spindle = spindle;
        this.out = out;
        on = out != null;
        this.failures = failures;
    }

    /** Returns whether the log is written. */
    public boolean isOn() {
        return on;
    }

    /**
     * Adds the line of a request, unless too many characters wait to be written.
     *
     * @param method the method, or {@code -} if none was read
     * @param outcome the end of the request, in words
     */
    public void add(String peer, String method, String path, int status, long bytes, long nanos, String outcome) {
        StringBuilder line = new StringBuilder(160);
        line.append(Instant.now()).append(' ').append(peer).append(' ');
        line.append(method).append(' ');
        path.chars().limit(500).forEach(c -> line.append(c <= ' ' || c > '~' ? '?' : (char) c));
        line.append(' ').append(status).append(' ').append(bytes).append(' ');
        line.append(String.format(Locale.ROOT, "%.1fms", nanos / 1e6)).append(" \"");
        outcome.chars().limit(300).forEach(c -> line.append(c < ' ' || c > '~' || c == '"' ? ' ' : (char) c));
        add(line.append("\"\n").toString());
    }

    private void add(String line) {
        boolean first;
        synchronized (this) {
            if (lines.length() + line.length() > MOST_CHARS) { // AccessLog-2
                dropped.increment();
                return;
            }
            lines.append(line);
            first = !scheduled;
            scheduled = true;
        }
        if (first) {
            later();
        }
    }

    /** Schedules a batch. If scheduling fails, sets {@code scheduled} to false. */
    private void later() {
        boolean set = false;
        try {
            Future<?> unused = spindle.schedule(() -> write(), BATCH.toMillis(), TimeUnit.MILLISECONDS);
            set = true;
        } catch (RejectedExecutionException e) {
            // the spindle has ended; close() writes the remaining lines
        } finally {
            if (!set) {
                synchronized (this) {
                    scheduled = false; // the next line tries again
                }
            }
        }
    }

    /** Writes a batch, and schedules another batch if lines were added during the write, even if the write threw. */
    private void write() {
        try {
            write(take());
        } finally {
            boolean more;
            synchronized (this) {
                more = !lines.isEmpty();
                scheduled = more;
            }
            if (more) {
                later(); // AccessLog-1
            }
        }
    }

    private synchronized String take() {
        String batch = lines.toString();
        lines = new StringBuilder();
        return batch;
    }

    private void write(String batch) {
        if (batch.isEmpty()) {
            return;
        }
        synchronized (disk) {
            OutputStream to = out;
            if (to == null) {
                return;
            }
            try {
                to.write(batch.getBytes(StandardCharsets.UTF_8));
                to.flush();
            } catch (IOException | RuntimeException | Error e) {
                dropped.add(batch.lines().count());
                failures.note("writing the access log", e);
            }
        }
    }

    /** Writes to another stream from now on. May wait for a write to the present stream. */
    public void reopen(OutputStream next) {
        synchronized (disk) {
            out = next;
        }
    }

    /** Writes the remaining lines; returns after at most one second. */
    public void close() {
        boolean unused = InTime.run("gateway-access-log", () -> write(take()));
    }

    /** Returns the number of dropped lines. */
    public long dropped() {
        return dropped.sum();
    }
}
