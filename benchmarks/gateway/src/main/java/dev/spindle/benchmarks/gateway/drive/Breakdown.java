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
 * Increases the number of connections until the gateway breaks its service level. The level is broken if more than one
 * request in 1,000 fails, or if fewer than nine tenths of the offered requests succeed in the window. A 99th percentile
 * above twice the delay also breaks the level.
 */
public final class Breakdown extends Stage {
    public static final Figure HIGHEST =
            Figure.more("highest_connections", "most connections within the service level");
    public static final List<Figure> FIGURES = List.of(HIGHEST, ALL_THREADS, MEMORY);

    private static final List<Integer> STEPS = List.of(300, 600, 1_200, 1_800, 2_400);
    private static final List<Integer> QUICK_STEPS = List.of(20, 40);
    private static final Duration TAIL = Duration.ofSeconds(20);
    private static final double MOST_BAD = 0.001;
    private static final double LEAST_ANSWERED = 0.9;

    private final List<Integer> steps;
    private final int delayMillis;
    private final Duration window;

    public Breakdown(ServerMain.Kind kind, Plan.Guard guard, Scale scale) {
        super(kind, guard, Route.LARGE, scale.full() ? 2_400 : 40, WARM_UP_MILLIS, scale);
        steps = scale.full() ? STEPS : QUICK_STEPS;
        delayMillis = scale.full() ? 1_000 : 100;
        window = Duration.ofSeconds(scale.full() ? 10 : 1);
    }

    /** Returns the approximate time of a fork in which no step breaks the service level. */
    public static Duration expected() {
        return Duration.ofSeconds(12 + 15L * STEPS.size());
    }

    /**
     * @param bad the fraction of the requests that failed
     * @param answered the fraction of the requests offered in the window that succeeded
     * @param excessMillis the 99th percentile minus the delay
     */
    record Step(double bad, double answered, double excessMillis) {
        boolean broken(int delayMillis) {
            return bad > MOST_BAD || !(answered >= LEAST_ANSWERED) || !(excessMillis <= delayMillis);
        }
    }

    @Override
    void measure(Recorder recorder) throws InterruptedException {
        delay(delayMillis, 0);
        int highest = 0;
        for (int connections : steps) {
            if (step(new Steady.Shape(Route.LARGE, connections, delayMillis, true))
                    .broken(delayMillis)) {
                break;
            }
            highest = connections;
        }
        recorder.value(HIGHEST, highest);
    }

    private Step step(Steady.Shape shape) throws InterruptedException {
        Duration ramp = Steady.ramp(scale);
        Duration whole = ramp.plus(window);
        long failedBefore = failed();
        Instant from = Instant.now().plus(ramp);
        Instant to = from.plus(window);
        try (H2load load = H2load.paced(url(), shape.connections(), shape.perConnection(), whole)) {
            H2load.Outcome outcome = load.await(whole.plus(TAIL)).less(failed() - failedBefore);
            H2load.Outcome timed = H2load.outcome(load.between(from, to), 0);
            double offered = shape.connections() * shape.perConnection() * window.toMillis() / 1_000;
            return new Step(
                    (double) outcome.bad() / (outcome.answered() + outcome.bad()),
                    timed.answered() / offered,
                    timed.p99Millis() - delayMillis);
        } catch (IOException | IllegalStateException e) {
            return new Step(1, 0, Double.NaN); // the load generator did not end in time
        }
    }
}
