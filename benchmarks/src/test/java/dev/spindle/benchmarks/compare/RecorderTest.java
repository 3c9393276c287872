// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.benchmarks.measure.LatencyHistogram;
import dev.spindle.benchmarks.measure.MachineLoad;
import dev.spindle.benchmarks.measure.OwnProcess;
import dev.spindle.benchmarks.measure.ThreadCosts;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void fields_surviveTheWayToTheParent() {
        Map<String, Double> fields = Map.of("ns", 12_345.6, "ratio", 0.25);

        assertThat(Fields.decode(Fields.encode(fields))).isEqualTo(fields);
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

    /** The limits are those of the binomial table: 2 P(fewer than k of n on one side) is within 10 %. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "5, 1, 5", "7, 1, 7", "8, 2, 7", "11, 3, 9", "13, 4, 10", "20, 6, 15"})
    void spread_valuesOneToCount_narrowsWithTheCount(int count, double low, double high) {
        Spread spread = Spread.of(IntStream.rangeClosed(1, count)
                .mapToObj(value -> (double) value)
                .toList());

        assertThat(spread.low()).isEqualTo(low);
        assertThat(spread.high()).isEqualTo(high);
        assertThat(spread.median()).isEqualTo((count + 1) / 2.0);
    }

    @Test
    void spread_ofNothing_isRefused() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
