// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Says in the log what failed and goes on: once, and again when it has not failed for a minute. Never throws. */
final class FailureLog {
    private static final String NAME = "dev.spindle.gateway";
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final Map<String, Long> failedAt = new ConcurrentHashMap<>();

    /**
     * Creates a log, and makes ready what a line of it needs. A library or a class of the JDK that is asked for when
     * the process has no file descriptor or memory left cannot be used from then on.
     */
    FailureLog() {
        try {
            System.Logger unused = System.getLogger(NAME);
            String unusedToo =
                    String.format(Locale.getDefault(), "%1$tb %1$tZ", ZonedDateTime.now(ZoneId.systemDefault()));
            ClassLoader classes = FailureLog.class.getClassLoader();
            if (classes != null) {
                var unusedResource = classes.getResource("dev/spindle/gateway/none"); // opens each library
            }
        } catch (Throwable t) {
            // the log is found when it is needed
        }
    }

    /**
     * Takes note of a failure.
     *
     * @param what what failed, one of a few
     */
    void note(String what, @Nullable Throwable cause) {
        try {
            long now = System.nanoTime();
            Long before = failedAt.put(what, now);
            if (before == null || now - before > QUIET_NANOS) {
                System.getLogger(NAME).log(System.Logger.Level.WARNING, what + " failed, and goes on: " + cause, cause);
            }
        } catch (Throwable t) {
            // there is nothing left to say it with
        }
    }
}
