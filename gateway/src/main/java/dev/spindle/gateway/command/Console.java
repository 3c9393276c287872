// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import java.io.PrintWriter;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Lines of a program that goes on when the other end of its pipe is not read: they are written by a daemon thread, in
 * order, and what is beyond a bound is dropped.
 */
final class Console {
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

    Console(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    void say(String line) {
        print(out, line);
    }

    void complain(String line) {
        print(err, line);
    }

    private void print(PrintWriter to, String line) {
        writer.execute(() -> {
            to.println(line);
            to.flush();
        });
    }

    /** Waits until all is written, for a second at most. */
    void end() throws InterruptedException {
        writer.shutdown();
        boolean unused = writer.awaitTermination(1, TimeUnit.SECONDS);
    }
}
