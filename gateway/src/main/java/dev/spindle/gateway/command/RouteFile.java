// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that others write while it is watched. It is read when it has not changed for 100 ms, so that it is not read
 * while it is being written. Not thread-safe.
 */
final class RouteFile {
    static final Duration UNCHANGED = Duration.ofMillis(100);

    private final Path path;
    private State seen;

    RouteFile(Path path) {
        this.path = path;
        seen = State.of(path);
    }

    /** Waits for a time. */
    interface Pause {
        /** Returns whether the waiting was ended: there is no use in the file any more. */
        boolean ends(Duration time) throws InterruptedException;
    }

    /** Returns whether the file has changed since {@link #settle} returned true, or since this was made. */
    boolean hasChanged() {
        return !State.of(path).equals(seen);
    }

    /** Returns whether the file was changed within the last 100 ms, by the clock of its file system. */
    boolean isYoung() {
        Instant since = Instant.now().minus(UNCHANGED);
        return seen.time.isAfter(since);
    }

    /** Waits until the file has not changed for 100 ms; false if {@code pause} ended the waiting. */
    boolean settle(Pause pause) throws InterruptedException {
        State before;
        State now = State.of(path);
        do {
            before = now;
            if (pause.ends(UNCHANGED)) {
                return false;
            }
            now = State.of(path);
        } while (!now.equals(before));
        seen = now;
        return true;
    }

    /** What changes when a file is written, or another takes its place. */
    private record State(Instant time, long size, @Nullable Object key) {
        private static final State NONE = new State(Instant.MIN, -1, null);

        static State of(Path path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                return new State(attributes.lastModifiedTime().toInstant(), attributes.size(), attributes.fileKey());
            } catch (IOException e) {
                return NONE;
            }
        }
    }
}
