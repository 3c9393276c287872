// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A log of failures after which the gateway continues.
 *
 * <p>The first occurrence of a failure is logged. A later occurrence is logged only if more than a minute has passed
 * since the previous occurrence. Any thread may call {@link #note}, which never throws.
 */
public final class FailureLog {
    private static final String NAME = "dev.spindle.gateway";
    /** The time without an occurrence after which a failure is logged again. Not measured. */
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final Map<String, Long> failedAt = new ConcurrentHashMap<>();

    /**
     * Creates a log, and loads the libraries and classes that logging needs.
     *
     * <p>If the process has no file descriptor or memory left, a library or a class of the JDK that is needed for the
     * first time fails to load, and cannot be used from then on.
     */
    FailureLog() {
        try {
            System.Logger unused = System.getLogger(NAME);
            String unusedToo =
                    String.format(Locale.getDefault(), "%1$tb %1$tZ", ZonedDateTime.now(ZoneId.systemDefault()));
            ClassLoader classes = FailureLog.class.getClassLoader();
            if (classes != null) {
                var unusedResource = classes.getResource("dev/spindle/gateway/none"); // the search opens every library
            }
        } catch (Throwable t) {
            // note() tries again
        }
    }

    /** Logs a change that happens seldom. */
    public void say(String text) {
        try {
            System.getLogger(NAME).log(System.Logger.Level.INFO, text);
        } catch (Throwable t) {
            // logging has failed, and nothing else reports it
        }
    }

    /**
     * Logs a failure without a stack trace.
     *
     * @param what the operation that failed, from a small set of names
     */
    public void complain(String what, String text) {
        try {
            if (isNew(what)) {
                System.getLogger(NAME).log(System.Logger.Level.WARNING, text);
            }
        } catch (Throwable t) {
            // logging has failed as well, and nothing else reports it
        }
    }

    /** Notes an occurrence, and returns whether it is to be logged. */
    private boolean isNew(String what) {
        long now = System.nanoTime();
        Long before = failedAt.put(what, now);
        return before == null || now - before > QUIET_NANOS;
    }

    /**
     * Logs a failure.
     *
     * @param what the operation that failed, from a small set of names
     */
    public void note(String what, @Nullable Throwable cause) {
        try {
            if (isNew(what)) {
                System.getLogger(NAME).log(System.Logger.Level.WARNING, what + " failed, and goes on: " + cause, cause);
            }
        } catch (Throwable t) {
            // logging has failed as well, and nothing else reports it
        }
    }
}
