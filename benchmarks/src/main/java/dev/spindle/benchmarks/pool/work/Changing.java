// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A minute of load that changes every five seconds: tasks that compute, that wait, that do either. What a phase has
 * done is compared with others by the same share of each phase, so that none of them decides alone.
 *
 * @param curve where to write how many workers are awake, each 20 ms; empty for nowhere
 */
public record Changing(String curve) implements Workload {
    /**
     * How often the workers awake became fewer after they had become more, after the first second of a phase, by more
     * than two and a fifth of them. By medians of 200 ms, for a worker is idle for moments, too.
     */
    public static final Figure SWINGS = Figure.less("swings_per_phase", "swings per phase");

    /** The geometric mean of the rates of the phases. */
    public static final Figure MEAN_RATE = Figure.more("mean_rate", "tasks/s, geometric mean of the phases");

    private static final int PHASES = 12;
    private static final int PHASE_MILLIS = 5_000;
    private static final int LEAST_MILLIS = 40;
    private static final int SAMPLE_MILLIS = 20;
    private static final int SETTLED_SAMPLES = 1_000 / SAMPLE_MILLIS;
    private static final int SAMPLES_OF_A_MEDIAN = 10;

    @Override
    public int threads() {
        return Supply.OUTSTANDING;
    }

    @Override
    public int outstanding() {
        return Supply.OUTSTANDING;
    }

    @Override
    public List<Figure> figures() {
        return List.of(MEAN_RATE, SWINGS, Figures.PER_CPU_SECOND);
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public Effort effort() {
        return Effort.once(Duration.ZERO, Duration.ofMillis((long) PHASES * PHASE_MILLIS));
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        Supply supply = new Supply(stage);
        Runnable compute = supply.counted(stage.burn(10));
        Runnable wait = supply.counted(() -> LockSupport.parkNanos(1_000_000));
        Awake awake = new Awake(stage);
        Recorder recorder = stage.recorder();
        recorder.begin();
        double cpuBefore = recorder.contenderCpuNanos();
        double logarithms = 0;
        for (int phase = 0; phase < PHASES; phase++) {
            awake.begin(phase);
            long before = supply.ended();
            long begin = System.nanoTime();
            int kind = phase % 3;
            supply.submitFor(
                    PHASE_MILLIS, LEAST_MILLIS, index -> kind == 1 || (kind == 2 && index % 10 == 0) ? wait : compute);
            logarithms += Math.log(Math.max(1, supply.ended() - before) * 1e9 / (System.nanoTime() - begin));
        }
        awake.end();
        double cpu = recorder.contenderCpuNanos() - cpuBefore;
        recorder.end(supply.ended());
        recorder.value(MEAN_RATE, Math.exp(logarithms / PHASES));
        recorder.value(Figures.PER_CPU_SECOND, supply.ended() * 1e9 / Math.max(1, cpu));
        recorder.value(SWINGS, awake.swings() / (double) PHASES);
        supply.awaitLast();
        if (!curve.isEmpty()) {
            awake.write(Path.of(curve));
        }
    }

    /** Looks again and again at how many workers a spindle has awake; of others it sees nothing. */
    private static final class Awake {
        private final List<int[]> samples = new ArrayList<>(); // phase, awake
        private final Thread thread = new Thread(this::look, "awake");
        private final Stage stage;
        private volatile int phase = -1;
        private volatile boolean ended;

        Awake(Stage stage) {
            this.stage = stage;
            thread.setDaemon(true);
        }

        void begin(int next) {
            phase = next;
            if (!thread.isAlive() && stage.executor() instanceof Spindle) {
                thread.start();
            }
        }

        private void look() {
            while (!ended) {
                SpindleStats stats = ((Spindle) stage.executor()).stats();
                samples.add(new int[] {phase, stats.threads() - stats.idle()});
                Interruptions.sleepMillis(SAMPLE_MILLIS);
            }
        }

        void end() {
            ended = true;
            Interruptions.ignoring(thread::join);
        }

        int swings() {
            int swings = 0;
            for (int each = 0; each < PHASES; each++) {
                int of = each;
                int[] settled = samples.stream()
                        .filter(sample -> sample[0] == of)
                        .skip(SETTLED_SAMPLES)
                        .mapToInt(sample -> sample[1])
                        .toArray();
                swings += swings(medians(settled));
            }
            return swings;
        }

        private static int[] medians(int[] values) {
            return IntStream.range(0, values.length / SAMPLES_OF_A_MEDIAN)
                    .map(i -> Arrays.stream(values)
                            .skip((long) i * SAMPLES_OF_A_MEDIAN)
                            .limit(SAMPLES_OF_A_MEDIAN)
                            .sorted()
                            .toArray()[SAMPLES_OF_A_MEDIAN / 2])
                    .toArray();
        }

        private static int swings(int[] values) {
            int swings = 0;
            int low = Integer.MAX_VALUE;
            int high = -1; // since the last low, or -1 while it falls
            for (int value : values) {
                if (high < 0) {
                    low = Math.min(low, value);
                    high = value > low + margin(low) ? value : -1;
                } else if (value > high) {
                    high = value;
                } else if (value < high - margin(high)) {
                    swings++;
                    low = value;
                    high = -1;
                }
            }
            return swings;
        }

        private static int margin(int value) {
            return 2 + value / 5;
        }

        void write(Path file) {
            List<String> lines = new ArrayList<>(List.of("millis,phase,awake"));
            for (int i = 0; i < samples.size(); i++) {
                lines.add(String.format(
                        Locale.ROOT, "%d,%d,%d", i * SAMPLE_MILLIS, samples.get(i)[0], samples.get(i)[1]));
            }
            try {
                Files.write(file, lines);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
