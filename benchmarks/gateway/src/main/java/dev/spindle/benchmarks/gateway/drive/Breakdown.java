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
 * More and more connections, until the service level is broken: more than a thousandth of the requests end in an error,
 * or less than nine tenths of what is offered is answered in time, or the 99th percentile is above twice the delay.
 */
public final class Breakdown implements Subject {
    public static final List<Figure> FIGURES = List.of(
            Figures.HIGHEST,
            Figures.BROKEN_BAD,
            Figures.BROKEN_RATE,
            Figures.BROKEN_P99,
            Figures.ALL_THREADS,
            Figures.MEMORY);

    private static final List<Integer> STEPS = List.of(300, 600, 1_200, 1_800, 2_400);
    private static final List<Integer> QUICK_STEPS = List.of(20, 40);
    private static final int DELAY_MILLIS = 1_000;
    private static final int QUICK_DELAY_MILLIS = 100;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration QUICK_WINDOW = Duration.ofSeconds(1);
    private static final Duration TAIL = Duration.ofSeconds(20);
    private static final double MOST_BAD = 0.001;
    private static final double LEAST_ANSWERED = 0.9;

    private final List<Integer> steps;
    private final Scale scale;
    private final Stage stage;

    public Breakdown(Entrant entrant, Scale scale) {
        this.scale = scale;
        steps = scale.full() ? STEPS : QUICK_STEPS;
        stage = new Stage(entrant, Route.LARGE, steps.get(steps.size() - 1), scale);
    }

    /** About how long a fork takes that never breaks down. */
    public static Duration expected() {
        return Duration.ofSeconds(12)
                .plus(Shape.ramp(Scale.FULL).plus(WINDOW).plusSeconds(2).multipliedBy(STEPS.size()));
    }

    /**
     * What a step showed.
     *
     * @param bad share of the requests that ended otherwise than well
     * @param answered share of what was offered in the window that was answered well
     * @param excessMillis the 99th percentile above the delay
     */
    record Step(double bad, double answered, double excessMillis) {
        boolean broken(int delayMillis) {
            return bad > MOST_BAD || !(answered >= LEAST_ANSWERED) || !(excessMillis <= delayMillis);
        }
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int delayMillis = scale.full() ? DELAY_MILLIS : QUICK_DELAY_MILLIS;
        stage.delay(delayMillis, 0);
        stage.record(recorder, () -> {
            int highest = 0;
            for (int connections : steps) {
                Step step = step(new Shape(Route.LARGE, connections, delayMillis, true));
                if (step.broken(delayMillis)) {
                    recorder.value(Figures.BROKEN_BAD, 100 * step.bad);
                    recorder.value(Figures.BROKEN_RATE, 100 * step.answered);
                    recorder.value(Figures.BROKEN_P99, step.excessMillis);
                    break;
                }
                highest = connections;
            }
            recorder.value(Figures.HIGHEST, highest);
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

    private Step step(Shape shape) throws InterruptedException {
        Duration ramp = Shape.ramp(scale);
        Duration window = scale.full() ? WINDOW : QUICK_WINDOW;
        Duration whole = ramp.plus(window);
        long failedBefore = stage.failed();
        Instant from = Instant.now().plus(ramp);
        Instant to = from.plus(window);
        try (H2load load = H2load.paced(stage.url(), shape.connections(), shape.perConnection(), whole)) {
            Load.Outcome outcome = load.await(whole.plus(TAIL)).less(stage.failed() - failedBefore);
            Load.Outcome timed = H2load.outcome(load.between(from, to), 0);
            double offered = shape.connections() * shape.perConnection() * window.toMillis() / 1_000;
            return new Step(
                    (double) outcome.bad() / (outcome.answered() + outcome.bad()),
                    timed.answered() / offered,
                    timed.p99Millis() - shape.requestMillis());
        } catch (IOException | IllegalStateException e) {
            return new Step(1, 0, Double.NaN); // neither did the gateway answer nor the load generator end
        }
    }
}
