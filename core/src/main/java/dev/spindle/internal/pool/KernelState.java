// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;

/**
 * The state of a thread as the kernel reports it: running or waiting. {@link Thread#getState} reports a thread that
 * waits in native code, such as in a read of a socket, as RUNNABLE. Available on Linux, for platform threads.
 */
final class KernelState {
    /** The states of interest. */
    enum Activity {
        /** Runs, or waits for a processor. */
        RUNS,
        WAITS,
        UNKNOWN
    }

    private static final String PATH = "/proc/thread-self/stat"; // shows the state of the thread that opened the file

    /** True if this system reports states. */
    static final boolean TELLS = new File(PATH).canRead();

    static final int BUFFER_SIZE = 64; // holds a number, a name of up to 15 arbitrary bytes, and the state

    // Guarded by this object's monitor, since a close during a read could make the read use another file. Not a
    // channel, since an interrupt closes a channel.
    private final RandomAccessFile file;

    KernelState(RandomAccessFile file) {
        this.file = file;
    }

    /** Returns the state of the calling thread, for other threads to read; null if it is not available. */
    static @Nullable KernelState ofCurrentThread() {
        try {
            return new KernelState(new RandomAccessFile(PATH, "r"));
        } catch (FileNotFoundException | RuntimeException e) {
            return null;
        }
    }

    /**
     * Reads the current state, with {@code line} as a buffer of {@link #BUFFER_SIZE} bytes. At a safepoint the JVM
     * stops all threads, which then sleep; the calling thread is stopped when it returns from its read. So a thread
     * that sleeps in two consecutive reads waits; a thread that was only stopped does not sleep in the second read.
     */
    synchronized Activity read(byte[] line) {
        Activity first = readOnce(line);
        return first == Activity.WAITS ? readOnce(line) : first;
    }

    private Activity readOnce(byte[] line) {
        try {
            file.seek(0);
            return parse(line, file.read(line));
        } catch (IOException | RuntimeException e) {
            return Activity.UNKNOWN; // for example if the thread has ended
        }
    }

    /** Finds the letter after the name, which is in parentheses and may itself contain parentheses. */
    static Activity parse(byte[] line, int length) {
        for (int i = length - 3; i >= 0; i--) {
            if (line[i] == ')' && line[i + 1] == ' ') {
                return switch (line[i + 2]) {
                    case 'R' -> Activity.RUNS; // T3
                    case 'S', 'D' -> Activity.WAITS;
                    default -> Activity.UNKNOWN;
                };
            }
        }
        return Activity.UNKNOWN;
    }

    /** Closes the file. */
    synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            return; // the file is only read
        }
    }
}
