// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.NanoClock;
import dev.spindle.Spindle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A moment by which work has to be done. It travels with the work: each call is handed what is left of it.
 *
 * <p>Immutable. A deadline is a point on the clock of one process: what goes over a network is {@link #remaining()}.
 *
 * <p>A deadline that is made for a {@link Spindle} ends whatever it is given to, services that users have written
 * included. One that is made for a bare clock has no timer: it ends {@linkplain Endpoint endpoints}, and what is
 * gathered with one.
 */
public final class Deadline {
    /** Half of what a difference of the clock can hold: due times stay comparable. About 146 years. */
    private static final long MOST_NANOS = Long.MAX_VALUE >> 1;

    private final NanoClock clock;
    /** Has the timers; null if there is but a clock. */
    private final @Nullable Spindle spindle;

    private final long at;

    private Deadline(NanoClock clock, @Nullable Spindle spindle, long at) {
        this.clock = clock;
        this.spindle = spindle;
        this.at = at;
    }

    /**
     * Returns the moment {@code time} from now, by the clock of {@code spindle}. A negative time is as none; very long
     * ones are cut at 146 years.
     */
    public static Deadline after(Spindle spindle, Duration time) {
        NanoClock clock = requireNonNull(spindle, "spindle").clock();
        return new Deadline(clock, spindle, clock.nanoTime() + nanos(time));
    }

    /** As {@link #after(Spindle, Duration)}, by a clock that is given. */
    public static Deadline after(NanoClock clock, Duration time) {
        return new Deadline(clock, null, clock.nanoTime() + nanos(time));
    }

    /** Returns the earlier of this deadline and the moment {@code limit} from now. */
    public Deadline within(Duration limit) {
        return withinNanos(nanos(limit));
    }

    Deadline withinNanos(long nanos) {
        long now = clock.nanoTime();
        return at - now <= nanos ? this : new Deadline(clock, spindle, now + nanos);
    }

    /** Returns how much time is left; zero when the deadline is used up, never less. */
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    long remainingNanos() {
        return Math.max(0, at - clock.nanoTime());
    }

    /** Returns for how long the deadline has been used up; negative before. */
    long lateNanos() {
        return clock.nanoTime() - at;
    }

    @Nullable
    Spindle spindle() {
        return spindle;
    }

    /** Returns whether no time is left. */
    public boolean isUsedUp() {
        return at - clock.nanoTime() <= 0;
    }

    /** Returns a string with the time that remains. */
    @Override
    public String toString() {
        return isUsedUp() ? "deadline, used up" : "deadline in " + remaining();
    }

    /** Returns nanoseconds, saturated, and 0 for a negative duration. */
    static long nanos(Duration time) {
        if (requireNonNull(time, "time").isNegative()) {
            return 0;
        }
        return time.toSeconds() >= MOST_NANOS / 1_000_000_000 ? MOST_NANOS : time.toNanos();
    }

    /** Returns nanoseconds, and refuses what is not positive. */
    static long positive(String what, Duration time) {
        if (requireNonNull(time, what).isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, is " + time);
        }
        return nanos(time);
    }
}
