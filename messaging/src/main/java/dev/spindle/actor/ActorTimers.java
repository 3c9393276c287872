// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import dev.spindle.internal.Durations;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The timers of an actor. The thread in which a timer fires sends a signal to the actor. Any thread may cancel a
 * timer.
 */
final class ActorTimers {
    private final ActorBase actor;
    private final Set<Timer> timers = ConcurrentHashMap.newKeySet();

    ActorTimers(ActorBase actor) {
        this.actor = actor;
    }

    /** Sets a timer, which repeats if there is a {@code period}. */
    Future<?> set(Duration delay, @Nullable Duration period, Object message) {
        Timer timer = new Timer(period, actor.group().carried(message));
        timer.arm(delay);
        timers.add(timer);
        if (timer.isDone()) {
            timers.remove(timer);
        }
        return timer;
    }

    void cancelAll() {
        timers.forEach(timer -> timer.cancel(false));
    }

    private final class Timer extends CompletableFuture<@Nullable Void> {
        private final @Nullable Duration period;
        private final Object message;
        private volatile @Nullable TimeLimit limit;
        private volatile @Nullable TimeLimit next;

        Timer(@Nullable Duration period, Object message) {
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
            if (isDone()) {
                disarm();
            }
        }

        private void due() {
            boolean unused = actor.signal(new Tick(this));
        }

        private void disarm() {
            TimeLimit once = limit;
            TimeLimit again = next;
            boolean unused = once != null && once.cancel();
            unused |= again != null && again.cancel();
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(false);
            if (cancelled) {
                timers.remove(this);
                disarm();
            }
            return cancelled;
        }

        @Override
        public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }

        /**
         * Handles a tick, unless the timer was cancelled. A periodic timer then sets its next tick, so at most one tick
         * is pending.
         */
        void tick() {
            if (period == null ? !complete(null) : isDone()) { // R2
                return; // cancelled
            }
            if (period == null) {
                timers.remove(this);
            }
            actor.receive(message);
            if (period != null && !isDone()) {
                try {
                    arm(period);
                } catch (RejectedExecutionException e) {
                    boolean unused = cancel(false); // after a shutdown, which also ends periodic tasks
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
