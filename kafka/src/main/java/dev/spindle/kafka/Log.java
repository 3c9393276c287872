// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import org.jspecify.annotations.Nullable;

/** The log of this package. */
final class Log {
    private static final System.Logger LOG = System.getLogger("dev.spindle.kafka");

    private Log() {}

    static void info(String message) {
        LOG.log(System.Logger.Level.INFO, message);
    }

    static void warn(String message, @Nullable Throwable failure) {
        LOG.log(System.Logger.Level.WARNING, failure == null ? message : message + ": " + failure);
    }

    /** Failures that may come often, of which one is logged in 10 s, with the number of the others. Thread-safe. */
    static final class Often {
        /** The time from one line to the next. Not measured. */
        private static final long PAUSE_NANOS = 10_000_000_000L;

        private long count;
        private long last;

        void warn(String message, Throwable failure, long now) {
            long left = count(now);
            if (left >= 0) {
                Log.warn(left > 0 ? message + " (" + left + " more since the last line)" : message, failure);
            }
        }

        /** Returns the number of failures that were left out before this one, or -1 if this one is left out. */
        private synchronized long count(long now) {
            if (count > 0 && now - last < PAUSE_NANOS) {
                count++;
                return -1;
            }
            long left = Math.max(0, count - 1);
            last = now;
            count = 1;
            return left;
        }
    }

    static void error(String message, Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, message, failure);
    }
}
