// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.Spindle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Lines about requests, collected in memory and written in batches by a worker: no event loop waits for a disk. */
final class AccessLog {
    /*
     * The monitor guards `lines` and `scheduled`. A batch is on its way if `scheduled`; only one is, so lines keep
     * their order; whatever a write throws, the next line finds a batch on its way or sends one. `disk` is held while a
     * batch is written, by a worker or by close(), and never by an event loop. When the disk is slower than the
     * requests, lines beyond the bound are dropped and counted.
     */
    private static final int MOST_CHARS = 4 << 20;
    private static final Duration BATCH = Duration.ofMillis(200);

    private final Spindle spindle;
    private final @Nullable OutputStream out;
    private final FailureLog failures;
    private final LongAdder dropped = new LongAdder();
    private final Object disk = new Object();
    private StringBuilder lines = new StringBuilder();
    private boolean scheduled;

    AccessLog(Spindle spindle, @Nullable OutputStream out, FailureLog failures) {
        this.spindle = spindle;
        this.out = out;
        this.failures = failures;
    }

    boolean isOn() {
        return out != null;
    }

    void add(String line) {
        boolean first;
        synchronized (this) {
            if (lines.length() + line.length() > MOST_CHARS) {
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

    private void later() {
        boolean set = false;
        try {
            Future<?> unused = spindle.schedule(() -> write(), BATCH.toMillis(), TimeUnit.MILLISECONDS);
            set = true;
        } catch (RejectedExecutionException e) {
            // close() writes what is left
        } finally {
            if (!set) {
                synchronized (this) {
                    scheduled = false; // the next line tries again
                }
            }
        }
    }

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
                later();
            }
        }
    }

    private synchronized String take() {
        String batch = lines.toString();
        lines = new StringBuilder();
        return batch;
    }

    private void write(String batch) {
        OutputStream to = out;
        if (to == null || batch.isEmpty()) {
            return;
        }
        synchronized (disk) {
            try {
                to.write(batch.getBytes(StandardCharsets.UTF_8));
                to.flush();
            } catch (IOException | RuntimeException | Error e) {
                dropped.add(batch.lines().count());
                failures.note("writing the access log", e);
            }
        }
    }

    /** Writes what is left, for a second at most. The stream belongs to whoever made it. */
    void close() {
        boolean unused = InTime.run("gateway-access-log", () -> write(take()));
    }

    long dropped() {
        return dropped.sum();
    }
}
