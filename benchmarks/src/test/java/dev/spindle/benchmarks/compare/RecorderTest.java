// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private static final Figure SUM = new Figure("sum", "sum", true, Figure.Summary.SUM);

    @Test
    void values_ofThePasses_areSummedUpAsTheFigureSays() {
        Recorder recorder = new Recorder();
        for (double value : new double[] {3, 1, 8}) {
            recorder.value(Samples.TIME, value);
            recorder.value(Samples.LATEST, value);
            recorder.value(SUM, value);
        }

        assertThat(recorder.values())
                .containsEntry("ns", 3.0)
                .containsEntry("latest_ms", 8.0)
                .containsEntry("sum", 12.0);
    }

    @Test
    void costs_arePerOperation() {
        Recorder recorder = new Recorder();
        recorder.begin();
        long end = System.nanoTime() + 20_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        recorder.end(4);

        assertThat(recorder.values().get(Figure.CPU.field())).isGreaterThan(1_000);
        assertThat(recorder.values()).containsEntry(Figure.OPS.field(), 4.0);
    }

    @Test
    void costs_thatTheSubjectGave_areThoseOfTheFork() {
        Recorder recorder = new Recorder();
        recorder.value(Figure.THREADS, 3);
        recorder.value(Figure.OPS, 1_000);
        recorder.value(Figure.CPU, 200);

        assertThat(recorder.values())
                .containsEntry(Figure.THREADS.field(), 3.0)
                .containsEntry(Figure.OPS.field(), 1_000.0)
                .containsEntry(Figure.CPU.field(), 200.0);
    }

    @Test
    void measurement_survivesTheWayToTheParent() {
        Measurement measurement = new Measurement(Map.of("ns", 12_345.6, "ratio", 0.25));

        assertThat(Measurement.decode(measurement.encode()).values())
                .containsEntry("ns", 12_345.6)
                .containsEntry("ratio", 0.25);
    }

    @Test
    void passSize_growsUntilAPassTakesLongEnough() {
        PassSize size = new PassSize(10, 30);
        size.took(1_000);
        assertThat(size.size()).isEqualTo(20);
        size.took(1_000_000_000);
        assertThat(size.size()).isEqualTo(20);
        size.took(1_000);
        assertThat(size.size()).isEqualTo(30);
    }
}
