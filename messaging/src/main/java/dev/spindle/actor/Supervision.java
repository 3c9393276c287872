// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.internal.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reaction to an {@link Actor} that throws: stop, resume or restart. Immutable.
 *
 * <pre>{@code
 * Supervision.restart(10, Duration.ofMinutes(1)).backoff(Duration.ofMillis(50), Duration.ofSeconds(5))
 * }</pre>
 */
public final class Supervision {
    /** The kinds of reactions. */
    enum Verdict {
        STOP,
        RESUME,
        RESTART
    }

    private static final Supervision STOP = new Supervision(Verdict.STOP, 0, Duration.ZERO, null, null);
    private static final Supervision RESUME = new Supervision(Verdict.RESUME, 0, Duration.ZERO, null, null);

    private final Verdict verdict;
    private final int most;
    private final Duration window;
    private final @Nullable Duration first;
    private final @Nullable Duration longest;

    private Supervision(
            Verdict verdict, int most, Duration window, @Nullable Duration first, @Nullable Duration longest) {
        this.verdict = verdict;
        this.most = most;
        this.window = window;
        this.first = first;
        this.longest = longest;
    }

    /** Stops the actor; messages in its mailbox are {@linkplain ActorsBuilder#onDrop dropped}. The default. */
    public static Supervision stop() {
        return STOP;
    }

    /** Continues with the next message and the same instance, whose state stays as it is. */
    public static Supervision resume() {
        return RESUME;
    }

    /**
     * Continues with a new instance from the factory. The mailbox stays as it is, timers are cancelled, and outcomes of
     * asks and piped stages still arrive. The actor is stopped if it fails again after {@code times} restarts within
     * {@code window}.
     *
     * @throws IllegalArgumentException if {@code times} is below 1, or {@code window} is not positive
     */
    public static Supervision restart(int times, Duration window) {
        if (times < 1) {
            throw new IllegalArgumentException("times must be at least 1, is " + times + "; use stop() for no restart");
        }
        return new Supervision(Verdict.RESTART, times, Durations.requirePositive("window", window), null, null);
    }

    /**
     * Delays restarts: the first in a window by {@code first}, each further one by twice the previous delay, up to
     * {@code longest}. During the delay messages wait in the mailbox. A stop or a shutdown ends the delay.
     *
     * @throws IllegalArgumentException if {@code first} is not positive, or {@code longest} is shorter than
     *     {@code first}
     * @throws IllegalStateException if this is not a restart
     */
    public Supervision backoff(Duration first, Duration longest) {
        if (verdict != Verdict.RESTART) {
            throw new IllegalStateException("backoff is for restart(), not for " + this);
        }
        Durations.requirePositive("first", first);
        if (Objects.requireNonNull(longest, "longest").compareTo(first) < 0) {
            throw new IllegalArgumentException("longest must be at least first, which is " + first + ", is " + longest);
        }
        return new Supervision(verdict, most, window, first, longest);
    }

    Verdict verdict() {
        return verdict;
    }

    /**
     * Counts a restart.
     *
     * @param before the times of restarts within the window, oldest first
     * @return the delay before the restart, or null if no restart is left
     */
    @Nullable
    Duration restart(ArrayDeque<Long> before, long now) {
        long span = Durations.toNanos(window);
        while (!before.isEmpty() && now - before.getFirst() > span) {
            before.removeFirst();
        }
        if (before.size() >= most) {
            return null;
        }
        int earlier = before.size();
        before.addLast(now);
        if (first == null || longest == null) {
            return Duration.ZERO;
        }
        long delay = Durations.toNanos(first);
        long limit = Durations.toNanos(longest);
        for (int i = 0; i < earlier && delay < limit; i++) {
            delay *= 2;
        }
        return Duration.ofNanos(Math.min(delay, limit));
    }

    @Override
    public String toString() {
        return switch (verdict) {
            case STOP -> "stop";
            case RESUME -> "resume";
            case RESTART ->
                "restart up to " + most + " times within " + window
                        + (first == null ? "" : ", after " + first + " to " + longest);
        };
    }
}
