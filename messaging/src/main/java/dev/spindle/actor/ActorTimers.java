// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import dev.spindle.internal.Durations;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The timers of an actor, by key. For the owner of the actor; a timer fires in any thread, which sends a signal to the
 * actor.
 */
final class ActorTimers {
    private final ActorBase actor;
    private final Map<Object, Timer> timers = new HashMap<>();

    ActorTimers(ActorBase actor) {
        this.actor = actor;
    }

    /** Sets a timer in place of the timer with the same key, if any. */
    void set(Object key, Duration delay, @Nullable Duration period, Object message) {
        cancel(key);
        Timer timer = new Timer(key, period, actor.group().carried(message));
        timer.arm(delay);
        timers.put(key, timer);
    }

    /** Cancels a timer, so that its message is not delivered; returns false if there is none. */
    boolean cancel(Object key) {
        Timer timer = timers.remove(key);
        if (timer == null) {
            return false;
        }
        timer.disarm();
        return true;
    }

    void cancelAll() {
        timers.values().forEach(Timer::disarm);
        timers.clear();
    }

    private final class Timer {
        private final Object key;
        private final @Nullable Duration period;
        private final Object message;
        private @Nullable TimeLimit limit;
        private @Nullable TimeLimit next;

        Timer(Object key, @Nullable Duration period, Object message) {
            this.key = key;
            this.period = period;
            this.message = message;
        }

        /**
         * Sets the next tick. A shutdown waits for the tick of a one-time timer, and cancels the tick of a periodic
         * timer.
         */
        void arm(Duration delay) {
            if (period == null) {
                limit = TimeLimits.set(actor.group().spindle(), delay, this::due);
            } else {
                if (actor.group().isShutdown()) {
                    throw actor.group().shutException(actor, "rejected a period of");
                }
                next = actor.group().pool().host().limit(Durations.toNanos(delay), this::due, () -> {});
            }
        }

        private void due() {
            boolean unused = actor.signal(new Tick(this));
        }

        void disarm() {
            boolean unused = limit != null && limit.cancel();
            unused |= next != null && next.cancel();
        }

        /** Handles a tick, then sets the next tick, so that at most one tick is pending. */
        void tick() {
            if (timers.get(key) != this) { // R2
                return; // cancelled or replaced
            }
            if (period == null) {
                timers.remove(key);
            }
            actor.receive(message);
            if (period != null && timers.get(key) == this) {
                try {
                    arm(period);
                } catch (RejectedExecutionException e) {
                    timers.remove(key); // a shutdown ends periods, as it ends periodic tasks
                }
            }
        }
    }

    /** The signal of a timer that has fired. */
    private static final class Tick extends Letter.Signal {
        private final Timer timer;

        Tick(Timer timer) {
            this.timer = timer;
        }

        @Override
        public boolean isForBehaviour() {
            return true;
        }

        @Override
        public void arrive() {
            timer.tick();
        }
    }
}
