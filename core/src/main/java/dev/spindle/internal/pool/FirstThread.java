// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates submitters that start the first thread of a pool. No task is accepted before a thread has started, so an
 * accepted task never waits for a thread that cannot be started. One submitter at a time attempts to start a thread,
 * and the others wait for the outcome. If the attempt fails, the next submitter makes its own attempt, so a submitter
 * is rejected only after its own attempt has failed. All methods except {@link #isThere} and {@link #wasEver} are
 * called under the worker set's lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the lock
final class FirstThread {
    /*
     * field    writers                        readers  mode
     * running  start and end of a thread,     all      volatile; in WorkerPool
     *          under the worker set's lock
     * ever     the same                       all      volatile, only to true
     * starter  the attempting thread,         same     plain
     *          under the lock
     *
     * A thread factory may itself submit a task to the executor. This submit must not wait for the attempt that has
     * called the factory, so the submitting thread makes an attempt of its own.
     */
    private final WorkerPool pool;
    private final Condition attempted;
    private volatile boolean ever;
    private @Nullable Thread starter;

    FirstThread(WorkerPool pool, ReentrantLock lock) {
        this.pool = pool;
        attempted = lock.newCondition();
    }

    /** Returns whether there is a thread that has started and not ended. */
    boolean isThere() {
        return pool.running > 0;
    }

    /** Returns whether a thread has ever started. */
    boolean wasEver() {
        return ever;
    }

    /** Waits until there is a thread, or until the calling submitter may attempt to start one. */
    void awaitTurn() {
        while (!isThere() && starter != null && starter != Thread.currentThread()) {
            attempted.awaitUninterruptibly();
        }
    }

    /** Begins an attempt of the calling thread. If there is no thread, other submitters wait for the outcome. */
    void starts() {
        if (!isThere()) {
            starter = Thread.currentThread();
        }
    }

    /** Ends the attempt, successful or not, and wakes the waiting submitters. */
    void attemptEnded() {
        if (isThere() || starter == Thread.currentThread()) {
            starter = null;
        }
        attempted.signalAll();
    }

    /** Records that a thread has started. */
    void started() {
        pool.running++;
        ever = true;
    }

    /** Records that a thread has ended. */
    void ended() {
        pool.running--;
    }
}
