// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.Route;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Offers twice as many requests as the backend can serve. The gateway is not configured with the capacity or the delay
 * of the backend, and has to find its limit by measuring.
 */
public final class Overload extends Stage {
    public static final Figure GOODPUT = Figure.more("goodput_percent", "good answers, % of the capacity");
    public static final Figure ACCEPTED = Figure.less("accepted_p99", "p99 of good answers, x that without overload");
    public static final Figure REFUSED = Figure.less("refused_p99_ms", "p99 of refusals, ms");
    public static final List<Figure> FIGURES = List.of(GOODPUT, ACCEPTED, REFUSED, ALL_THREADS, MEMORY);

    private static final int PLACES = 100;
    private static final int DELAY_MILLIS = 100;
    private static final int CONNECTIONS = 1_000;
    /** The number of requests per second that the backend can serve. */
    private static final double CAPACITY = PLACES * 1_000.0 / DELAY_MILLIS;

    private static final double UNLOADED = 0.5;
    private static final double OVERLOADED = 2;
    private static final Duration TAIL = Duration.ofSeconds(60);

    private final Duration ramp; // the gateway adapts its limit in this time
    private final Duration window;

    public Overload(ServerMain.Kind kind, Scale scale) {
        // A learned limit takes calls that become slower for a queue at first.
        super(kind, Plan.Guard.REQUESTS, Route.ONE, CONNECTIONS, DELAY_MILLIS, scale);
        ramp = Duration.ofSeconds(scale.full() ? 5 : 2);
        window = Duration.ofSeconds(scale.full() ? 10 : 2);
    }

    public static Duration expected() {
        return Duration.ofSeconds(6 + 2 * 15);
    }

    @Override
    void measure(Recorder recorder) throws IOException, InterruptedException {
        delay(DELAY_MILLIS, PLACES);
        double calm = H2load.outcome(requests(UNLOADED), 0).p99Millis();
        List<H2load.Request> overloaded = requests(OVERLOADED);
        H2load.Outcome good = H2load.outcome(overloaded, 0);
        recorder.value(GOODPUT, 100 * good.answered() / (CAPACITY * window.toMillis() / 1_000));
        recorder.value(ACCEPTED, good.p99Millis() / calm);
        recorder.value(REFUSED, H2load.percentile(H2load.refused(overloaded), 0.99));
    }

    /** Sends requests at the given fraction of the capacity, and returns those that were sent after the ramp. */
    private List<H2load.Request> requests(double share) throws IOException, InterruptedException {
        Duration whole = ramp.plus(window);
        Instant from = Instant.now().plus(ramp);
        try (H2load load = H2load.paced(url(), CONNECTIONS, share * CAPACITY / CONNECTIONS, whole)) {
            load.await(whole.plus(TAIL));
            return load.between(from, from.plus(window));
        }
    }
}
