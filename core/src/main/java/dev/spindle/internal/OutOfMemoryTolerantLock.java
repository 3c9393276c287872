// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that can be taken even if memory is exhausted. It guards steps that must not fail, such as the end of a
 * thread.
 */
public final class OutOfMemoryTolerantLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    @Override
    public void lock() {
        try {
            super.lock();
        } catch (OutOfMemoryError e) { // before JDK 22, a node of the wait queue needs memory
            while (!tryLock()) {
                Thread.yield();
            }
        }
    }
}
