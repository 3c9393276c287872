// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.pool.watch.RetryDelay;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The delay after a failed start of a thread. During the delay, submits to a pool that has a thread make no attempt.
 * After the delay, a new thread makes an attempt if work is ready ({@link #runAfter}). Guarded by the worker set's
 * lock, except {@link #runAfter}.
 */
final class ThreadStartBackoff {
    private final String name;
    private final AtomicBoolean planned = new AtomicBoolean();
    private boolean failing;
    private long retry;

    /** Creates the back-off of the pool with the given name. */
    ThreadStartBackoff(String name) {
        this.name = name;
    }

    /** Returns whether it is too early for another attempt. */
    boolean keepOff(long now) {
        return failing && now - retry < 0;
    }

    /** Records a failure. Returns false if the previous attempt has failed as well. */
    boolean note(long now) {
        boolean first = !failing;
        failing = true;
        retry = now + RetryDelay.LEAST_NANOS;
        return first;
    }

    /** Records a success. */
    void end() {
        failing = false;
    }

    /**
     * Runs {@code ensureWorkers} after the delay, on a new thread that then ends. Does nothing if such a thread exists
     * or none can be started. No thread of the pool does this, since all of them may be waiting for an entry that only
     * a further thread could run.
     */
    void runAfter(Runnable ensureWorkers) {
        if (!planned.compareAndSet(false, true)) {
            return;
        }
        try {
            Runnable retry = new Runnable() { // no lambda, since its linkage takes memory, which may be exhausted
                        @Override
                        public void run() {
                            await(ensureWorkers);
                        }
                    };
            DefaultThreads.waiter(retry, name + "-retry").start();
        } catch (Throwable t) {
            planned.set(false); // this thread could not be started either; the next signal tries again
        }
    }

    private void await(Runnable ensureWorkers) {
        try {
            TimeUnit.NANOSECONDS.sleep(RetryDelay.LEAST_NANOS);
        } catch (InterruptedException e) {
            throw new AssertionError("no other code has a reference to this thread", e);
        } finally {
            planned.set(false);
        }
        ensureWorkers.run();
    }
}
