// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.benchmarks.compare.Recorder.LatencyHistogram;
import dev.spindle.benchmarks.compare.Subject.PassSize;
import org.junit.jupiter.api.Test;

/** The figures of passes, and their statistics. */
class RecorderTest {
    private static final Figure SUM = new Figure("sum", "sum", true, Figure.Summary.SUM);

    private final Recorder recorder = new Recorder();

    @Test
    void values_ofThePasses_areSummedUpAsTheFigureSays() {
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
        recorder.begin();
        spin(20_000_000);
        recorder.end(4);

        assertThat(recorder.values().get(Figure.CPU.field())).isGreaterThan(1_000);
        assertThat(recorder.values()).containsEntry(Figure.OPS.field(), 4.0);
    }

    @Test
    void costs_thatTheSubjectGave_areThoseOfTheFork() {
        recorder.value(Figure.THREADS, 3);
        recorder.value(Figure.OPS, 1_000);

        assertThat(recorder.values())
                .containsEntry(Figure.THREADS.field(), 3.0)
                .containsEntry(Figure.OPS.field(), 1_000.0);
    }

    @Test
    void costs_ofAThreadThatEnded_areCounted() throws InterruptedException {
        ThreadCosts before = ThreadCosts.before();
        long begun = OwnProcess.cpuNanos();
        Thread other = Waits.start("other", () -> {
            while (OwnProcess.cpuNanos() - begun < 200_000_000) {
                Thread.onSpinWait();
            }
        });
        other.join();

        assertThat(ThreadCosts.after().cpuNanosSince(before)).isGreaterThan(100_000_000);
    }

    static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void passSize_growsUntilAPassTakesLongEnough() {
        PassSize size = new PassSize(10, 30);
        size.took(1_000);
        size.took(1_000_000_000);
        assertThat(size.size()).isEqualTo(20);

        size.took(1_000);
        assertThat(size.size()).isEqualTo(30);
    }

    @Test
    void histogram_percentiles_areWithinTwoPercent() {
        LatencyHistogram histogram = new LatencyHistogram();
        assertThat(histogram.percentile(0.5)).isNaN();

        histogram.record(-3);
        assertThat(histogram.percentile(1)).isZero();
        for (int millis = 1; millis <= 100; millis++) {
            histogram.record(millis * 1_000_000L);
        }
        assertThat(histogram.percentile(0.5)).isCloseTo(50e6, within(1e6));
    }

    @Test
    void load_ofTheKernelsLine_leavesOutIdleAndGuests() {
        MachineLoad load = MachineLoad.parse("cpu  10 20 30 1000 500 1 2 3 7777 8888");
        MachineLoad later = new MachineLoad(66 + 80, 1_566 + 200);

        assertThat(load).isEqualTo(new MachineLoad(66, 1_566));
        assertThat(later.foreignPercent(load, 300_000_000)).isCloseTo(25, within(0.01));
        assertThat(later.foreignPercent(load, 810_000_000)).isZero();
        assertThat(load.foreignPercent(load, 0)).isNaN();
    }
}
