// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Timers in the order of their due times. Whoever watches the clock asks {@link #first} and calls {@link #fire}; this
 * class has no thread.
 */
public final class Timers {
    /** Something that happens at a time of the executor's clock. */
    public abstract static class Timer {
        private long due;
        private long number;
        private volatile boolean armed;

        /** Returns when this timer is due, as a reading of the clock in nanoseconds. */
        public final long due() {
            return due;
        }

        /** Called once for each time that the timer was added, by the thread that watches the clock; must not block. */
        protected abstract void fire();
    }

    private final ConcurrentSkipListMap<Timer, Timer> timers = new ConcurrentSkipListMap<>(Timers::compare);
    private final AtomicLong numbers = new AtomicLong();

    private static int compare(Timer a, Timer b) {
        int byDue = Long.signum(a.due - b.due); // a difference: the clock may wrap
        return byDue != 0 ? byDue : Long.compare(a.number, b.number);
    }

    /**
     * Adds {@code timer} to fire at {@code due}. It must not be in the set.
     *
     * @return whether it is now the first
     */
    public boolean add(Timer timer, long due) {
        timer.due = due;
        timer.number = numbers.getAndIncrement();
        timer.armed = true;
        timers.put(timer, timer);
        Timer first = first();
        return first == timer;
    }

    /** Removes {@code timer}; returns false when it was not there or is just being fired. */
    public boolean remove(Timer timer) {
        return timer.armed && timers.remove(timer) != null;
    }

    /** Returns the first timer, or null. */
    public @Nullable Timer first() {
        var entry = timers.firstEntry();
        return entry == null ? null : entry.getKey();
    }

    /** Returns whether there is no timer. */
    public boolean isEmpty() {
        return timers.isEmpty();
    }

    /** Fires everything that is due at {@code now}. Several threads may do so at once; each timer is fired by one. */
    public void fire(long now) {
        for (Timer t = first(); t != null && t.due - now <= 0; t = first()) {
            if (timers.remove(t) != null) {
                if (t.due - now <= 0) {
                    t.fire();
                } else {
                    timers.put(t, t); // another thread had fired it, and it was added again for later
                }
            }
        }
    }

    /** Removes every timer that {@code which} accepts and hands it, in the order of due times, to {@code removed}. */
    public void removeIf(Predicate<Timer> which, Consumer<Timer> removed) {
        for (Timer t : timers.keySet()) {
            if (which.test(Objects.requireNonNull(t)) && timers.remove(t) != null) {
                removed.accept(t);
            }
        }
    }
}
