// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import dev.spindle.Spindle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A value that is loaded from files, and loaded again when the files have changed and then stayed the same for a
 * second. If loading fails, the value stays. Any thread may call {@link #get}.
 *
 * @param <T> the type of the value
 */
public final class Live<T> {
    /** The time between two looks at the files. Not measured. */
    private static final long PAUSE_MILLIS = 1_000;

    private final Spindle spindle;
    private final String what;
    private final List<Path> files;
    private final Loader<T> loader;
    private final FailureLog log;
    private volatile T value;
    private volatile boolean closed;
    /** The state of the files at the last load; used by one task at a time. */
    private List<FileState> loaded;
    /** The state of the files at the last look. */
    private List<FileState> seen;

    /** Loads a value. */
    public interface Loader<T> {
        /**
         * Returns the value.
         *
         * @throws IOException if a file cannot be read
         * @throws IllegalArgumentException if a file has a mistake
         */
        T load() throws IOException;
    }

    /**
     * Loads a value, and begins to look at its files, if there are any.
     *
     * @param what the value, in words
     * @throws IOException if the value cannot be loaded
     */
    public Live(Spindle spindle, FailureLog log, String what, List<Path> files, Loader<T> loader) throws IOException {
        this.spindle = spindle;
        this.log = log;
        this.what = what;
        this.files = List.copyOf(files);
        this.loader = loader;
        loaded = states(this.files);
        seen = loaded;
        value = loader.load();
        if (!files.isEmpty()) {
            later();
        }
    }

    /** Returns the value that was loaded last. */
    public T get() {
        return value;
    }

    /** Ends the looks at the files. */
    public void close() {
        closed = true;
    }

    private void later() {
        try {
            Future<?> unused = spindle.schedule(this::look, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            closed = true; // the spindle has ended
        }
    }

    private void look() {
        if (closed) {
            return;
        }
        try {
            List<FileState> now = states(files);
            boolean settled = now.equals(seen);
            seen = now;
            if (settled && !now.equals(loaded)) {
                loaded = now;
                value = loader.load();
                log.say(what + " was loaded again");
            }
        } catch (IOException | RuntimeException e) {
            log.complain(what, what + " stays as it was: " + e.getMessage());
        } finally {
            later();
        }
    }

    private static List<FileState> states(List<Path> files) {
        return files.stream().map(FileState::of).toList();
    }
}
