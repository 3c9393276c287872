// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.live;

import dev.spindle.Spindle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Simulated look-ups of another service. While the switch is on, one look-up at a time hangs until it is off. */
final class LookUps {
    /** The duration of a look-up: long enough to be seen in a browser. Not measured. */
    private static final long MILLIS = 400;

    /** The maximum number of look-ups that hang: one aircraft shows that no other waits for it. Not measured. */
    private static final int MOST_HANGING = 1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean hangs; // guarded by `lock`, as are the next two
    private boolean closed;
    private int hanging;

    /** Waits for an answer. Announces to the pool that it blocks. */
    void lookUp() {
        Spindle.callBlocking(() -> {
            awaitAnswer();
            return null;
        });
    }

    private void awaitAnswer() {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(MILLIS);
            if (hangs && hanging < MOST_HANGING) {
                hanging++;
                while (hangs && !closed) {
                    changed.await();
                }
                hanging--;
            }
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Sets the switch. */
    void hang(boolean on) {
        lock.lock();
        try {
            hangs = on;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isOn() {
        lock.lock();
        try {
            return hangs;
        } finally {
            lock.unlock();
        }
    }

    /** Answers all look-ups, and later ones at once. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
