// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;

/**
 * The state of a thread as the operating system's kernel reports it: running or waiting. {@link Thread#getState}, in
 * contrast, returns RUNNABLE for a thread that waits in native code, such as in a read of a socket. Available on Linux,
 * for platform threads.
 */
final class KernelState {
    enum Activity {
        /** Runs, or waits for a processor. */
        RUNS,
        WAITS,
        UNKNOWN
    }

    private static final String PATH = "/proc/thread-self/stat"; // shows the state of the thread that opened the file

    /** True if this system reports states. */
    static final boolean TELLS = new File(PATH).canRead();

    /** The number of bytes that are read: room for a number, a name of up to 15 bytes, and the state. Not measured. */
    static final int BUFFER_SIZE = 64;

    // Guarded by this object's monitor: after a close during a read, the read might use the descriptor of another file.
    // This is no channel, since an interrupt closes a channel.
    private final RandomAccessFile file;

    KernelState(RandomAccessFile file) {
        this.file = file;
    }

    /** Loads the classes that a look needs. */
    static void prepare() {
        Object unused = TELLS ? Activity.RUNS : Activity.UNKNOWN;
    }

    /**
     * Returns an object with which any thread can read the state of the calling thread, or null if the state is not
     * available.
     */
    static @Nullable KernelState ofCurrentThread() {
        try {
            return new KernelState(new RandomAccessFile(PATH, "r"));
        } catch (FileNotFoundException | RuntimeException e) {
            return null;
        }
    }

    /**
     * Reads the current state. {@code line} is a buffer of {@link #BUFFER_SIZE} bytes. A thread that the JVM has
     * stopped at a safepoint seems to wait. The safepoint also stops the calling thread when it returns from its first
     * read, so the second read takes place after the safepoint. A thread that waits in both reads therefore really
     * waits.
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
            return Activity.UNKNOWN; // for example, the thread has ended
        }
    }

    /**
     * Interprets the letter that follows the thread's name. The name is in parentheses, and may itself contain
     * parentheses.
     */
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
            return; // harmless: the file was only read
        }
    }
}
