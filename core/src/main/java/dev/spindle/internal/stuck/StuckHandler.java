// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

import dev.spindle.Activity;
import dev.spindle.internal.executor.ExecutorKernel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Calls the user's handler of reports, one call at a time, on a thread that exists only while there are reports. If the
 * handler blocks, further reports wait; if too many wait, the oldest are dropped, since they are in the log.
 */
final class StuckHandler implements Runnable {
    /** The maximum number of reports that wait for the handler. Not measured. */
    private static final int MOST = 100;

    private final ExecutorKernel kernel;
    private final Consumer<? super Activity> handler;
    private final LinkedBlockingQueue<Activity> waiting = new LinkedBlockingQueue<>(MOST);
    private final AtomicBoolean running = new AtomicBoolean();

    StuckHandler(ExecutorKernel kernel, Consumer<? super Activity> handler) {
        this.kernel = kernel;
        this.handler = handler;
    }

    /** Adds a report. */
    void add(Activity activity) {
        while (!waiting.offer(activity)) {
            Activity unused = waiting.poll();
        }
        if (running.compareAndSet(false, true)) {
            try {
                kernel.pool().runAside(this);
            } catch (Throwable t) { // no thread could be started; the next report tries again
                running.set(false);
                kernel.failures().handlerFailed();
            }
        }
    }

    @Override
    public void run() {
        do {
            for (Activity next = waiting.poll(); next != null; next = waiting.poll()) {
                boolean unused = Thread.interrupted(); // A4
                try {
                    handler.accept(next);
                } catch (Throwable t) {
                    kernel.failures().handlerFailed();
                }
            }
            running.set(false);
        } while (!waiting.isEmpty() && running.compareAndSet(false, true));
    }
}
