// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The loggers of the tests' JVM. A test may record the log; otherwise warnings and errors go to the console.
 */
@SuppressWarnings("NullAway") // the JDK's signatures have no null annotations
public final class CollectedLog extends System.LoggerFinder {
    private static final ConcurrentLinkedQueue<Recording> RECORDINGS = new ConcurrentLinkedQueue<>();

    /** Called by the JDK. */
    public CollectedLog() {}

    /** Starts a recording of messages of level warning and above, which do not reach the console until it is closed. */
    public static Recording record() {
        Recording recording = new Recording();
        RECORDINGS.add(recording);
        return recording;
    }

    /** The messages logged while this is open. */
    public static final class Recording implements AutoCloseable {
        private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<Throwable> traces = new ConcurrentLinkedQueue<>();

        private Recording() {}

        /** Returns the messages. */
        public List<String> lines() {
            return List.copyOf(lines);
        }

        /** Returns the throwables that were logged with their stack traces. */
        List<Throwable> traces() {
            return List.copyOf(traces);
        }

        private void add(String line, @Nullable Throwable trace) {
            lines.add(line);
            if (trace != null) {
                traces.add(trace);
            }
        }

        @Override
        public void close() {
            RECORDINGS.remove(this);
        }
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Collector(name);
    }

    private record Collector(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return level.compareTo(Level.WARNING) >= 0 && level != Level.OFF;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable t) {
            if (!isLoggable(level)) {
                return;
            }
            if (RECORDINGS.isEmpty()) {
                System.err.println(level + " " + name + ": " + message + (t == null ? "" : ": " + t));
            }
            RECORDINGS.forEach(recording -> recording.add(String.valueOf(message), t));
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format, Object... parameters) {
            log(level, bundle, format, (Throwable) null);
        }
    }
}
