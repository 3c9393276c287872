// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.OutOfMemoryTolerantLock;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates submitters that start the first thread of a pool. Nothing is accepted before a thread has started, so
 * what is accepted never waits for a thread that cannot be had. One submitter tries at a time; the others wait for what
 * becomes of it, and if there is still no thread they try themselves, so that each is refused for a failure of its own.
 * All but {@link #isThere} and {@link #wasEver} are called under the worker set's lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the lock
final class FirstThread {
    /*
     * field    writers                        readers  mode
     * running  start and end of a thread,     all      volatile: the pool's
     *          under the worker set's lock
     * ever     the same                       all      volatile, only to true
     * starter  who tries, under the lock      same     plain
     *
     * A thread factory that itself submits to the executor must not wait for its own outcome: it tries once more.
     */
    private final WorkerPool pool;
    private final Condition attempted;
    private volatile boolean ever;
    private @Nullable Thread starter;

    FirstThread(WorkerPool pool, OutOfMemoryTolerantLock lock) {
        this.pool = pool;
        attempted = lock.newCondition();
    }

    /** Returns whether a thread has started that has not ended. */
    boolean isThere() {
        return pool.running > 0;
    }

    /** Returns whether a thread has ever started. */
    boolean wasEver() {
        return ever;
    }

    /** Waits until there is a thread, or the calling one has to start it. */
    void awaitTurn() {
        while (!isThere() && starter != null && starter != Thread.currentThread()) {
            attempted.awaitUninterruptibly();
        }
    }

    /**
     * Begins an attempt of the calling thread to start one: if there is none, others wait for the outcome.
     */
    void starts() {
        if (!isThere()) {
            starter = Thread.currentThread();
        }
    }

    /** Ends the attempt, successful or not. */
    void attemptEnded() {
        if (isThere() || starter == Thread.currentThread()) {
            starter = null;
        }
        attempted.signalAll();
    }

    /** Counts a thread that has started. */
    void started() {
        pool.running++;
        ever = true;
    }

    /** Counts one out that has ended. */
    void ended() {
        pool.running--;
    }
}
