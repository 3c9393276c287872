// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.CountDownLatch;

/**
 * A task that stays in its run until it is opened or interrupted; a stubborn one takes note of interrupts and stays.
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
            } catch (InterruptedException e) { // its end: the flag is not left for whatever the thread runs next
                interrupted.countDown();
                stay = stubborn;
            }
        }
        left.countDown();
    }

    void open() {
        opened.countDown();
    }

    /** Reaches 0 when a thread has come in. */
    CountDownLatch entered() {
        return entered;
    }

    /** Reaches 0 when it has gone out again. */
    CountDownLatch left() {
        return left;
    }

    /** Reaches 0 when it was interrupted inside. */
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
