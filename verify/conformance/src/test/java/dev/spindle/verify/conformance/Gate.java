// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.CountDownLatch;

/**
 * A task that runs until it is opened or interrupted; a stubborn one counts interrupts and goes on.
 */
final class Gate implements Runnable {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final boolean stubborn;

    Gate(boolean stubborn) {
        this.stubborn = stubborn;
    }

    @Override
    public void run() {
        entered.countDown();
        boolean stay = true;
        while (stay) {
            try {
                opened.await();
                stay = false;
            } catch (InterruptedException e) { // the end, without a flag for the thread's next task
                interrupted.countDown();
                stay = stubborn;
            }
        }
        left.countDown();
    }

    void open() {
        opened.countDown();
    }

    /** Reaches 0 when the task has begun. */
    CountDownLatch entered() {
        return entered;
    }

    /** Reaches 0 when the task has ended. */
    CountDownLatch left() {
        return left;
    }

    /** Reaches 0 when the task was interrupted. */
    CountDownLatch interrupted() {
        return interrupted;
    }

    boolean wasEntered() {
        return entered.getCount() == 0;
    }

    boolean wasInterrupted() {
        return interrupted.getCount() == 0;
    }
}
