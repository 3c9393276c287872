// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.pool.stage.Stage;
import java.util.Random;
import java.util.stream.IntStream;

/** How long the tasks of a workload work, in microseconds. The same in every fork. */
public interface Lengths {
    /** Some hundreds at most, to be used in turn. */
    double[] micros();

    default double meanMicros() {
        double[] micros = micros();
        double sum = 0;
        for (double length : micros) {
            sum += length;
        }
        return sum / micros.length;
    }

    default Runnable[] tasks(Stage stage) {
        double[] micros = micros();
        Runnable[] tasks = new Runnable[micros.length];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = stage.burn(micros[i]);
        }
        return tasks;
    }

    /** All alike. */
    record Equal(double length) implements Lengths {
        @Override
        public double[] micros() {
            return new double[] {length};
        }
    }

    /**
     * A long tail: Pareto's distribution between two lengths, as that many equally likely values in a random order.
     *
     * @param shape the smaller, the more of the work is in the few long ones
     */
    record Pareto(double least, double most, double shape) implements Lengths {
        private static final int VALUES = 512;

        @Override
        public double[] micros() {
            Random random = new Random(VALUES);
            double tail = 1 - Math.pow(least / most, shape);
            int[] order = IntStream.range(0, VALUES).toArray();
            for (int i = VALUES - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int kept = order[i];
                order[i] = order[other];
                order[other] = kept;
            }
            return IntStream.of(order)
                    .mapToDouble(rank -> least / Math.pow(1 - (rank + 0.5) / VALUES * tail, 1 / shape))
                    .toArray();
        }
    }
}
