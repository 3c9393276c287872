// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.gateway.servers.Route;
import java.time.Duration;

/**
 * A load that stays the same.
 *
 * @param delayMillis how long a backend takes, on average
 * @param paced whether requests come at a rate that does not depend on the answers
 */
public record Shape(Route route, int connections, int delayMillis, boolean paced) {
    /** Of the time that a connection could use at most, so much is used when it is paced. */
    private static final double SHARE = 0.8;

    private static final int FEW = 20;
    private static final int SHORT_MILLIS = 100;
    private static final int DELAYS_PER_WINDOW = 10;

    /** How long a request takes when the gateway takes no time at all. */
    public int requestMillis() {
        return route.inTurn() ? route.calls() * delayMillis : delayMillis;
    }

    /** Requests a second from each connection, when they are paced. */
    public double perConnection() {
        return SHARE * 1_000 / requestMillis();
    }

    /** The same with fewer connections and a shorter delay, where it need only be shown that it works. */
    Shape scaled(Subject.Scale scale) {
        return scale.full()
                ? this
                : new Shape(route, scale.of(connections, FEW), Math.min(SHORT_MILLIS, delayMillis), paced);
    }

    /** Until all connections are there and the first answers are in. */
    static Duration ramp(Subject.Scale scale) {
        return scale.full() ? Duration.ofSeconds(3) : Duration.ofSeconds(1);
    }

    /** For what is measured: ten delays at least. */
    Duration window(Subject.Scale scale) {
        return scale.full()
                ? Duration.ofMillis(Math.max(8_000, DELAYS_PER_WINDOW * requestMillis()))
                : Duration.ofSeconds(2);
    }

    /** For system calls, which are counted apart since counting costs time. */
    static Duration counting(Subject.Scale scale) {
        return scale.full() ? Duration.ofSeconds(2) : Duration.ofSeconds(1);
    }

    /** About how long a fork takes, its warm-up included. */
    public Duration expected() {
        Duration warmUp = Duration.ofSeconds(route.calls() > 2 ? 11 : 6);
        return warmUp.plus(ramp(Subject.Scale.FULL))
                .plus(window(Subject.Scale.FULL))
                .plus(counting(Subject.Scale.FULL));
    }
}
