// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Time limits of one length, such as the idle limit, for the connections of one event loop. */
public final class Timeouts {
    /*
     * Confined to the event loop. All limits have the same length, so a list in the order of their starts is also in
     * the order of their ends. Starting and stopping a limit takes constant time, and one timer serves all limits.
     *
     * Timeouts-1  The list is in the order of `at`.
     * Timeouts-2  While the list is not empty, a timer is set. The timer is due at most `LEAST_NANOS` after the limit
     *             of the first entry has passed.
     */
    /**
     * The minimum delay of a timer that is set while limits run. Limits that end within this time may pass together.
     * Not measured.
     */
    private static final long LEAST_NANOS = 1_000_000;

    private final EventLoop loop;
    private final LongSupplier clock;
    private final long nanos;
    /** The head of the circular list; it is never started. */
    private final Entry ends = new Entry(() -> {});

    private boolean armed;

    /** Creates limits of the given length, none of which runs. */
    public Timeouts(EventLoop loop, LongSupplier clock, Duration length) {
        this.loop = loop;
        this.clock = clock;
        nanos = length.toNanos();
    }

    /** Starts the limit of an entry, after stopping a limit that runs already. */
    public void start(Entry entry) {
        entry.stop();
        entry.at = clock.getAsLong() + nanos; // Timeouts-1
        Entry last = ends.previous;
        entry.previous = last;
        entry.next = ends;
        last.next = entry;
        ends.previous = entry;
        if (!armed) {
            arm(nanos);
        }
    }

    /**
     * Returns whether the limit that was last started for an entry has passed. The action of the entry may not have run
     * yet.
     */
    public boolean isOver(Entry entry) {
        return entry.at - clock.getAsLong() <= 0;
    }

    private void arm(long delay) {
        var unused = loop.schedule(this::look, delay, TimeUnit.NANOSECONDS);
        armed = true; // not reached if schedule() throws; the next start then sets a timer
    }

    private void look() {
        armed = false;
        if (clock instanceof LoopClock own) {
            own.forget(); // the loop may have been busy since it last read its clock
        }
        long now = clock.getAsLong();
        try {
            for (Entry first = ends.next; first != ends && first.at - now <= 0; first = ends.next) {
                first.stop();
                first.passed.run();
            }
        } finally {
            if (ends.isRunning() && !armed) {
                arm(Math.max(LEAST_NANOS, ends.next.at - now)); // Timeouts-2
            }
        }
    }

    /** Ends, before its time, the limit that was started first. Returns false if no limit runs. */
    boolean passFirstEarly() {
        Entry first = ends.next;
        if (first == ends) {
            return false;
        }
        first.stop();
        first.passedEarly.run();
        return true;
    }

    /** An object with a time limit, at most one at a time. */
    public static final class Entry {
        private final Runnable passed;
        private final Runnable passedEarly;
        private Entry previous = this;
        private Entry next = this;
        /** The time by the clock at which the limit passes; undefined if no limit runs. */
        private long at;

        /** Creates an entry that runs {@code passed} when a limit has passed. */
        public Entry(Runnable passed) {
            this(passed, passed);
        }

        /** Creates an entry that runs {@code passedEarly} when a limit is ended before its time. */
        public Entry(Runnable passed, Runnable passedEarly) {
            this.passed = passed;
            this.passedEarly = passedEarly;
        }

        /** Returns whether a limit runs. */
        public boolean isRunning() {
            return next != this;
        }

        /** Stops the limit if one runs: its action does not run. */
        public void stop() {
            previous.next = next;
            next.previous = previous;
            previous = this;
            next = this;
        }
    }
}
