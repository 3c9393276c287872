// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.jspecify.annotations.Nullable;

/** A queue of the parked sends or of the parked receives of a channel, guarded by the lock of the channel. */
final class WaitQueue<T> {
    private @Nullable Pending<T> first;
    private @Nullable Pending<T> last;
    private int size;

    void add(Pending<T> pending) {
        pending.before = last;
        if (last == null) {
            first = pending;
        } else {
            last.after = pending;
        }
        last = pending;
        pending.queued = true;
        size++;
    }

    @Nullable
    Pending<T> peek() {
        return first;
    }

    /** Removes {@code pending}; returns false if it is not queued. */
    boolean remove(Pending<T> pending) {
        if (!pending.queued) {
            return false;
        }
        Pending<T> before = pending.before;
        Pending<T> after = pending.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        pending.before = null;
        pending.after = null;
        pending.queued = false;
        size--;
        return true;
    }

    int size() {
        return size;
    }
}
