// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.metrics;

import dev.spindle.Spindle;
import dev.spindle.gateway.loop.InTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The log of the requests that were answered with 502, 503 or 504, with the reason of each. At most ten a second are
 * logged, the rest is counted. Any thread may add requests, and none waits for the log: a worker writes it.
 */
public final class FailedRequests {
    // The monitor guards `lines`, `more` and `scheduled`. If scheduling fails, the next request schedules the write.
    private static final String NAME = "dev.spindle.gateway";
    /** The maximum number of lines of one write. Not measured. */
    private static final int MOST = 10;
    /** The maximum number of characters of a path or a reason in a line. Not measured. */
    private static final int LONGEST = 300;
    /** The time for which lines are collected. Not measured. */
    private static final Duration BATCH = Duration.ofSeconds(1);

    private final Spindle spindle;
    private List<String> lines = new ArrayList<>();
    private long more;
    private boolean scheduled;

    /** Creates a log without requests. */
    public FailedRequests(Spindle spindle) {
        this.spindle = spindle;
    }

    /** Returns whether requests with this status are logged. */
    public static boolean has(int status) {
        return status >= 502 && status <= 504;
    }

    /**
     * Adds a request.
     *
     * @param client the address of the client
     * @param reason the reason of the status, in words
     */
    public void add(String client, String method, String path, int status, String reason) {
        synchronized (this) {
            if (lines.size() >= MOST) {
                more++;
                return;
            }
            lines.add(status + " to " + plain(method + " " + path) + " of " + client + ": " + plain(reason));
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        boolean set = false;
        try {
            Future<?> unused = spindle.schedule(this::write, BATCH.toMillis(), TimeUnit.MILLISECONDS);
            set = true;
        } catch (RejectedExecutionException e) {
            // the spindle has ended; close() writes the lines
        } finally {
            if (!set) {
                synchronized (this) {
                    scheduled = false;
                }
            }
        }
    }

    /** Returns a text on one line without characters that could forge another line. */
    private static String plain(String text) {
        StringBuilder out = new StringBuilder();
        text.chars().limit(LONGEST).forEach(c -> out.append(c < ' ' || c > '~' ? '?' : (char) c));
        return out.toString();
    }

    private void write() {
        List<String> batch;
        long rest;
        synchronized (this) {
            batch = lines;
            rest = more;
            lines = new ArrayList<>();
            more = 0;
            scheduled = false;
        }
        try {
            System.Logger logger = System.getLogger(NAME);
            batch.forEach(line -> logger.log(System.Logger.Level.WARNING, line));
            if (rest > 0) {
                logger.log(System.Logger.Level.WARNING, rest + " more requests got 502, 503 or 504 in this second");
            }
        } catch (RuntimeException | Error e) {
            // logging has failed, and nothing else reports it
        }
    }

    /** Writes the lines that wait; returns after at most one second. */
    public void close() {
        boolean unused = InTime.run("gateway-failed-requests", this::write);
    }
}
