// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the connections of clients, and keeps them within their limit. */
final class Connections {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile @Nullable Runnable whenNone;

    Connections(int most) {
        this.most = most;
    }

    /** Counts a connection; false if it is one too many, and not counted. */
    boolean opened() {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused.increment();
            return false;
        }
        accepted.increment();
        return true;
    }

    void closed() {
        if (open.decrementAndGet() == 0) {
            none();
        }
    }

    /** Runs {@code action} when no connection is open: now or later, once or more often. */
    void whenNone(Runnable action) {
        whenNone = action;
        if (open.get() == 0) {
            none();
        }
    }

    private void none() {
        Runnable action = whenNone;
        if (action != null) {
            action.run();
        }
    }

    int open() {
        return open.get();
    }

    long accepted() {
        return accepted.sum();
    }

    long refused() {
        return refused.sum();
    }
}
