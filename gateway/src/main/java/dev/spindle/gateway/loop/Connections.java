// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The count of connections at one address, and their limit.
 *
 * <p>Any thread may call any method. The handler of a connection calls {@link #opened} and, if that returns true,
 * {@link #closed} exactly once.
 */
public final class Connections {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile @Nullable Runnable whenNone;

    /**
     * Creates a count of zero.
     *
     * @param most the maximum number of open connections
     */
    public Connections(int most) {
        this.most = most;
    }

    /** Counts a connection. Returns false, without counting it, if it exceeds the limit. */
    public boolean opened() {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused.increment();
            return false;
        }
        accepted.increment();
        return true;
    }

    /** Removes a connection from the count. If none is left, runs the action of {@link #whenNone}. */
    public void closed() {
        if (open.decrementAndGet() == 0) {
            none();
        }
    }

    /**
     * Runs {@code action} when no connection is open: at once, or later on the thread that closes the last connection.
     * The action may run more than once.
     */
    public void whenNone(Runnable action) {
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

    /** Returns the number of open connections. */
    public int open() {
        return open.get();
    }

    /** Returns the number of connections that were counted since this object was created. */
    public long accepted() {
        return accepted.sum();
    }

    /** Returns the number of connections that exceeded the limit. */
    public long refused() {
        return refused.sum();
    }
}
