// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import java.time.Duration;

/**
 * The time by which a call has to end. A call passes its deadline to the calls that it makes.
 *
 * <p>Deadlines are immutable. A deadline is a reading of the clock of one process; over a network, pass
 * {@link #remaining()}.
 *
 * <p>If a service of this package calls a service of a user, the call ends by its deadline even if the user's service
 * ignores the deadline.
 */
public final class Deadline {
    /** About 146 years: half of the range of a long, so that differences of due times do not overflow. */
    private static final long MOST_NANOS = Long.MAX_VALUE >> 1;

    private final Spindle spindle;
    private final long at;

    private Deadline(Spindle spindle, long at) {
        this.spindle = spindle;
        this.at = at;
    }

    /**
     * Returns the deadline {@code timeout} from now, by the clock of {@code spindle}. Calls with this deadline use
     * timers of {@code spindle}. A negative timeout is treated as zero. The maximum is 146 years; a longer timeout is
     * shortened.
     */
    public static Deadline after(Spindle spindle, Duration timeout) {
        return new Deadline(spindle, nanoTime(requireNonNull(spindle, "spindle")) + nanos(timeout));
    }

    /** Reads the clock of a spindle. All times of this module are readings of such a clock. */
    static long nanoTime(Spindle spindle) {
        return spindle.nanoTime();
    }

    private long nanoTime() {
        return nanoTime(spindle);
    }

    /** Returns the earlier of this deadline and the time {@code timeout} from now. */
    public Deadline within(Duration timeout) {
        return withinNanos(nanos(timeout));
    }

    Deadline withinNanos(long nanos) {
        if (nanos >= MOST_NANOS) {
            return this;
        }
        long now = nanoTime();
        return at - now <= nanos ? this : new Deadline(spindle, now + nanos); // B2
    }

    /** Returns the time that is left; zero after the deadline. */
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    long remainingNanos() {
        return Math.max(0, at - nanoTime());
    }

    /** Returns the time since the deadline; negative before it. */
    long lateNanos() {
        return nanoTime() - at;
    }

    Spindle spindle() {
        return spindle;
    }

    /** Returns true if the deadline has passed. */
    public boolean isExpired() {
        return at - nanoTime() <= 0;
    }

    /** Returns a string with the time that remains. */
    @Override
    public String toString() {
        return isExpired() ? "deadline, expired" : "deadline in " + remaining();
    }

    /** Returns {@code time} in nanoseconds, at most 146 years; 0 if {@code time} is negative. */
    static long nanos(Duration time) {
        if (requireNonNull(time, "time").isNegative()) {
            return 0;
        }
        return time.toSeconds() >= MOST_NANOS / 1_000_000_000 ? MOST_NANOS : time.toNanos();
    }

    /** Returns {@code time} in nanoseconds, at most 146 years. Throws an exception unless {@code time} is positive. */
    static long positive(String what, Duration time) {
        if (requireNonNull(time, what).isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, is " + time);
        }
        return nanos(time);
    }
}
