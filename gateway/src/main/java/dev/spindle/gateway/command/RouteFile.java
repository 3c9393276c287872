// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import dev.spindle.gateway.loop.FileState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * A watched route file, which other programs may write at any time.
 *
 * <p>The file is read only after it has not changed for 100 ms, so that a partly written file is not read. Confined to
 * the thread of the command.
 */
final class RouteFile {
    /** The time without a change after which a file is regarded as completely written. */
    static final Duration UNCHANGED = Duration.ofMillis(100);

    private final Path path;
    /** The state of the file when it was read. */
    private FileState seen;

    /** Records the present state of the file. */
    RouteFile(Path path) {
        this.path = path;
        seen = FileState.of(path);
    }

    /** A wait that can end early. */
    interface Pause {
        /** Waits for a time, and returns whether the wait was ended because the file is no longer needed. */
        boolean ends(Duration time) throws InterruptedException;
    }

    /**
     * Returns whether the file has changed since {@link #settle} last returned true, or since this object was created.
     */
    boolean hasChanged() {
        return !FileState.of(path).equals(seen);
    }

    /** Returns whether the recorded time of the last change is less than 100 ms ago. */
    boolean isYoung() {
        Instant since = Instant.now().minus(UNCHANGED);
        return seen.time().isAfter(since);
    }

    /** Waits until the file has not changed for 100 ms. Returns false if {@code pause} ended the wait. */
    boolean settle(Pause pause) throws InterruptedException {
        FileState before;
        FileState now = FileState.of(path);
        do {
            before = now;
            if (pause.ends(UNCHANGED)) {
                return false;
            }
            now = FileState.of(path);
        } while (!now.equals(before)); // H7
        seen = now;
        return true;
    }
}
