// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.gateway.servers.Route;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Twice as many requests as the backend has places for, which is what the gateway has to find out: it knows neither the
 * places nor the delay. The processors are not what is short.
 */
public final class Overload implements Subject {
    public static final List<Figure> FIGURES = List.of(
            Figures.GOODPUT,
            Figures.ACCEPTED,
            Figures.REFUSED,
            Figures.REFUSED_SHARE,
            Figures.ALL_THREADS,
            Figures.MEMORY);

    private static final int PLACES = 100;
    private static final int DELAY_MILLIS = 100;
    private static final int CONNECTIONS = 1_000;
    /** In a second a place answers ten requests. */
    private static final double CAPACITY = PLACES * 1_000.0 / DELAY_MILLIS;

    private static final double UNLOADED = 0.5;
    private static final double OVERLOADED = 2;
    private static final Duration TAIL = Duration.ofSeconds(60);

    private final Scale scale;
    private final Stage stage;

    public Overload(Entrant entrant, Scale scale) {
        this.scale = scale;
        stage = new Stage(entrant, Route.ONE, CONNECTIONS, scale);
    }

    public static Duration expected() {
        return Duration.ofSeconds(6 + 2 * 15);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        stage.delay(DELAY_MILLIS, PLACES);
        stage.record(recorder, () -> {
            double calm = H2load.outcome(requests(UNLOADED), 0).p99Millis();
            List<H2load.Request> overloaded = requests(OVERLOADED);
            Load.Outcome good = H2load.outcome(overloaded, 0);
            double[] refused = H2load.refused(overloaded);
            recorder.value(Figures.GOODPUT, 100 * good.answered() / (CAPACITY * window().toMillis() / 1_000));
            recorder.value(Figures.ACCEPTED, good.p99Millis() / calm);
            recorder.value(Figures.REFUSED, H2load.percentile(refused, 0.99));
            recorder.value(Figures.REFUSED_SHARE, 100.0 * refused.length / overloaded.size());
        });
    }

    @Override
    public void close() {
        stage.close();
    }

    @Override
    public long violations() {
        return stage.violations();
    }

    /** The requests of the window, after five seconds in which the limit is found. */
    private List<H2load.Request> requests(double share) throws IOException, InterruptedException {
        Duration ramp = scale.full() ? Duration.ofSeconds(5) : Duration.ofSeconds(2);
        Duration whole = ramp.plus(window());
        Instant from = Instant.now().plus(ramp);
        try (H2load load = H2load.paced(stage.url(), CONNECTIONS, share * CAPACITY / CONNECTIONS, whole)) {
            load.await(whole.plus(TAIL));
            return load.between(from, from.plus(window()));
        }
    }

    private Duration window() {
        return scale.full() ? Duration.ofSeconds(10) : Duration.ofSeconds(2);
    }
}
