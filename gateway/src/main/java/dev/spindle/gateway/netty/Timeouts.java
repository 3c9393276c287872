// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.NanoClock;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Time limits of one length, of the connections of one event loop: all idle ones, say. */
final class Timeouts {
    /*
     * Confined to the event loop. All limits are of the same length, so a list in the order of their starts is one in
     * the order of their ends: start and stop are constant, and the loop has one timer for all.
     *
     * Timeouts-1  The list is in the order of `at`.
     * Timeouts-2  If the list is not empty, a timer is set that is not later than the end of the first entry.
     */
    /** Ends that lie closer together than this are looked at together. */
    private static final long LEAST_NANOS = 1_000_000;

    private final EventLoop loop;
    private final NanoClock clock;
    private final long nanos;
    private final Entry ends = new Entry(() -> {});
    private boolean armed;

    Timeouts(EventLoop loop, NanoClock clock, Duration length) {
        this.loop = loop;
        this.clock = clock;
        nanos = length.toNanos();
    }

    /** Starts the limit of an entry anew, after stopping the one that it has. */
    void start(Entry entry) {
        entry.stop();
        entry.at = clock.nanoTime() + nanos;
        Entry last = ends.previous;
        entry.previous = last;
        entry.next = ends;
        last.next = entry;
        ends.previous = entry;
        if (!armed) {
            arm(nanos);
        }
    }

    /** Returns whether the limit of an entry that was started last has passed, though it may not have acted. */
    boolean isOver(Entry entry) {
        return entry.at - clock.nanoTime() <= 0;
    }

    private void arm(long delay) {
        var unused = loop.schedule(this::look, delay, TimeUnit.NANOSECONDS);
        armed = true; // if there is no memory for a timer, the next start sets one
    }

    private void look() {
        armed = false;
        long now = clock.nanoTime();
        try {
            for (Entry first = ends.next; first != ends && first.at - now <= 0; first = ends.next) {
                first.stop();
                first.passed.run();
            }
        } finally {
            if (ends.isRunning() && !armed) {
                arm(Math.max(LEAST_NANOS, ends.next.at - now));
            }
        }
    }

    /** Ends the limit of the entry that was started first before its time; false if there is none. */
    boolean passFirstEarly() {
        Entry first = ends.next;
        if (first == ends) {
            return false;
        }
        first.stop();
        first.passedEarly.run();
        return true;
    }

    /** What has a time limit, at most one at a time. */
    static final class Entry {
        private final Runnable passed;
        private final Runnable passedEarly;
        private Entry previous = this;
        private Entry next = this;
        private long at;

        /** Creates an entry that runs {@code passed} when a limit has passed. */
        Entry(Runnable passed) {
            this(passed, passed);
        }

        /** Creates an entry that runs {@code passedEarly} when a limit is ended before its time. */
        Entry(Runnable passed, Runnable passedEarly) {
            this.passed = passed;
            this.passedEarly = passedEarly;
        }

        boolean isRunning() {
            return next != this;
        }

        void stop() {
            previous.next = next;
            next.previous = previous;
            previous = this;
            next = this;
        }
    }
}
