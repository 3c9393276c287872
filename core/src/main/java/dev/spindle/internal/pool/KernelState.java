// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel says of a thread: whether it runs or waits. {@link Thread#getState} calls a thread that waits in
 * native code, such as in a read of a socket, RUNNABLE. On Linux alone, and of platform threads.
 */
final class KernelState {
    /** What there is to know. */
    enum Activity {
        /** Runs, or would if it had a processor. */
        RUNS,
        WAITS,
        UNKNOWN
    }

    private static final String PATH = "/proc/thread-self/stat"; // of whoever opens it, as long as it is open

    /** Whether there is anything to be told on this system. */
    static final boolean TELLS = new File(PATH).canRead();

    static final int BUFFER_SIZE = 64; // a number, and a name of 15 bytes that may hold anything

    // Guarded by this: an end while somebody reads might have it read another file. No channel: an interrupt closes it.
    private final RandomAccessFile file;

    KernelState(RandomAccessFile file) {
        this.file = file;
    }

    /** Returns the state of the calling thread, to be read by others; null where nothing tells. */
    static @Nullable KernelState ofCurrentThread() {
        try {
            return new KernelState(new RandomAccessFile(PATH, "r"));
        } catch (FileNotFoundException | RuntimeException | OutOfMemoryError e) {
            return null;
        }
    }

    /**
     * Reads what the thread does now, with {@code line} for a buffer of {@link #BUFFER_SIZE} bytes. The JVM may hold
     * all threads but one that is in a read, and then they sleep; whoever comes back from the read is held too. So the
     * second of two reads tells those that wait from those that were held.
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
            return Activity.UNKNOWN; // it has ended, say
        }
    }

    /** Finds the letter after the name, which is in parentheses and may itself hold some. */
    static Activity parse(byte[] line, int length) {
        for (int i = length - 3; i >= 0; i--) {
            if (line[i] == ')' && line[i + 1] == ' ') {
                return switch (line[i + 2]) {
                    case 'R' -> Activity.RUNS;
                    case 'S', 'D' -> Activity.WAITS;
                    default -> Activity.UNKNOWN;
                };
            }
        }
        return Activity.UNKNOWN;
    }

    /** Gives the file back. */
    synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            return; // nothing was written
        }
    }
}
