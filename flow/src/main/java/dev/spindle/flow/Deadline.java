// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.NanoClock;
import dev.spindle.Spindle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time by which a call has to end. It is passed from each call to the calls that are made for it.
 *
 * <p>Immutable. A deadline is a reading of the clock of one process; over a network, pass {@link #remaining()}.
 *
 * <p>A deadline that was made with a {@link Spindle} ends every call that it is passed to, also those of services that
 * users have written. One that was made with a bare clock has no timer: it ends calls of
 * {@linkplain Endpoint endpoints} and of a scatter-gather with an endpoint in it.
 */
public final class Deadline {
    /** Half of the range of a long, so that differences of due times do not overflow. About 146 years. */
    private static final long MOST_NANOS = Long.MAX_VALUE >> 1;

    private final NanoClock clock;
    /** The owner of the timers; null for a bare clock. */
    private final @Nullable Spindle spindle;

    private final long at;

    private Deadline(NanoClock clock, @Nullable Spindle spindle, long at) {
        this.clock = clock;
        this.spindle = spindle;
        this.at = at;
    }

    /**
     * Returns the deadline {@code time} from now, by the clock of {@code spindle}. A negative time counts as zero, and
     * one of more than 146 years as that.
     */
    public static Deadline after(Spindle spindle, Duration time) {
        NanoClock clock = requireNonNull(spindle, "spindle").clock();
        return new Deadline(clock, spindle, clock.nanoTime() + nanos(time));
    }

    /** As {@link #after(Spindle, Duration)}, by {@code clock}, and without timers. */
    public static Deadline after(NanoClock clock, Duration time) {
        return new Deadline(clock, null, clock.nanoTime() + nanos(time));
    }

    /** Returns the earlier of this deadline and the time {@code limit} from now. */
    public Deadline within(Duration limit) {
        return withinNanos(nanos(limit));
    }

    Deadline withinNanos(long nanos) {
        long now = clock.nanoTime();
        return at - now <= nanos ? this : new Deadline(clock, spindle, now + nanos); // B2
    }

    /** Returns the time that is left; zero after the deadline. */
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    long remainingNanos() {
        return Math.max(0, at - clock.nanoTime());
    }

    /** Returns the time since the deadline; negative before it. */
    long lateNanos() {
        return clock.nanoTime() - at;
    }

    @Nullable
    Spindle spindle() {
        return spindle;
    }

    /** Returns true if no time is left. */
    public boolean isUsedUp() {
        return at - clock.nanoTime() <= 0;
    }

    /** Returns a string with the time that remains. */
    @Override
    public String toString() {
        return isUsedUp() ? "deadline, used up" : "deadline in " + remaining();
    }

    /** Returns nanoseconds, at most 146 years, and 0 for a negative duration. */
    static long nanos(Duration time) {
        if (requireNonNull(time, "time").isNegative()) {
            return 0;
        }
        return time.toSeconds() >= MOST_NANOS / 1_000_000_000 ? MOST_NANOS : time.toNanos();
    }

    /** Returns nanoseconds, at most 146 years; throws IllegalArgumentException unless {@code time} is positive. */
    static long positive(String what, Duration time) {
        if (requireNonNull(time, what).isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, is " + time);
        }
        return nanos(time);
    }
}
