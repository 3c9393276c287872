// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Decides who starts the first thread of a crew. Nothing is accepted before a thread has started, so what is accepted
 * never waits for a thread that cannot be had. One submitter tries at a time; the others wait for what becomes of it,
 * and if there is still no thread they try themselves, so that each is refused for a failure of its own. All but {@link
 * #isThere} and {@link #wasEver} are called under the crew's lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the lock
final class FirstThread {
    /*
     * field    writers                        readers  mode
     * running  start and end of a thread,     all      volatile
     *          under the crew's lock
     * ever     the same                       all      volatile, only to true
     * starter  who tries, under the lock      same     plain
     *
     * A thread factory that itself submits to the executor must not wait for its own outcome: it tries once more.
     */
    private final Condition settled;
    private volatile int running;
    private volatile boolean ever;
    private @Nullable Thread starter;

    FirstThread(CrewLock lock) {
        settled = lock.newCondition();
    }

    /** Returns whether a thread has started that has not ended. */
    boolean isThere() {
        return running > 0;
    }

    /** Returns whether a thread has ever started. */
    boolean wasEver() {
        return ever;
    }

    /** Waits until there is a thread, or the calling one has to start it. */
    void awaitTurn() {
        while (running <= 0 && starter != null && starter != Thread.currentThread()) {
            settled.awaitUninterruptibly();
        }
    }

    /**
     * Says that the calling thread is about to start a thread: if there is none, others wait for what becomes of it.
     */
    void starts() {
        if (running <= 0) {
            starter = Thread.currentThread();
        }
    }

    /** Says that it has, or has failed to. */
    void settle() {
        if (starter == Thread.currentThread()) {
            starter = null;
        }
        settled.signalAll();
    }

    /** Counts a thread that has started. */
    void started() {
        running++;
        ever = true;
    }

    /** Counts one out that has ended. */
    void ended() {
        running--;
    }
}
