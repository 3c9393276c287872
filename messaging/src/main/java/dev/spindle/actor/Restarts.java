// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.internal.Durations;
import dev.spindle.internal.TimeLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The times of an actor's restarts, and the delay of the next restart. For the owner of the actor. */
final class Restarts {
    private final ActorBase actor;
    private final ArrayDeque<Long> times = new ArrayDeque<>();
    private @Nullable TimeLimit delay;

    Restarts(ActorBase actor) {
        this.actor = actor;
    }

    /** Counts a restart; returns the delay before it, or null if no restart is left. */
    @Nullable
    Duration next(Supervision supervision) {
        return supervision.restart(times, actor.group().nanoTime());
    }

    /** Starts the behaviour after {@code time}; returns false if no timer could be set. A shutdown ends the delay. */
    boolean delay(Duration time) {
        try {
            Runnable begin = actor::signalBegin;
            delay = actor.group().pool().host().limit(Durations.toNanos(time), begin, begin);
            return true;
        } catch (Throwable t) { // for example, the spindle has ended
            return false;
        }
    }

    boolean isDelayed() {
        return delay != null;
    }

    void endDelay() {
        TimeLimit set = delay;
        if (set != null) {
            delay = null;
            boolean unused = set.cancel();
        }
    }
}
