// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import java.io.PrintWriter;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The output of a command, which never blocks the command. A daemon thread writes the lines in order, and lines beyond
 * a bound are dropped.
 *
 * <p>Any thread may add lines. {@link #end} is called once, by the thread of the command.
 */
final class Console {
    /** The maximum number of lines that wait to be written. Not measured. */
    private static final int MOST_WAITING = 100;

    private final ThreadPoolExecutor writer = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
                Thread thread = new Thread(task, "gateway-console");
                thread.setDaemon(true);
                return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * Creates a console, whose thread starts with the first line.
     *
     * @param out the stream for the output
     * @param err the stream for error messages
     */
    Console(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** Adds a line to the output. */
    void say(String line) {
        print(out, line);
    }

    /** Adds a line to the error messages. */
    void complain(String line) {
        print(err, line);
    }

    private void print(PrintWriter to, String line) {
        writer.execute(() -> {
            to.println(line);
            to.flush();
        });
    }

    /** Waits until all lines are written, for a second at most. */
    void end() throws InterruptedException {
        writer.shutdown();
        boolean unused = writer.awaitTermination(1, TimeUnit.SECONDS);
    }
}
