// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The load of the whole machine since its start, in ticks of 10 ms; unknown without a {@code /proc}.
 *
 * @param busyTicks the time for which processes, or the host of a virtual machine, used the processors
 * @param totalTicks the busy ticks and the idle time together
 */
public record MachineLoad(long busyTicks, long totalTicks) {
    /** The share of the machine, in percent, above which the load of other processes marks a round. */
    public static final double FOREIGN_LIMIT = 15;

    private static final double NANOS_PER_TICK = 1e7;
    /** The shortest interval whose load is computed: in a shorter one a single tick weighs too much. */
    private static final long LEAST_TICKS = 40;

    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISK = 4;
    /** The columns after this one count guests, whose time the first columns include. */
    private static final int STEAL = 7;

    public static MachineLoad now() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/stat"));
            return parse(lines.get(0));
        } catch (IOException e) {
            return new MachineLoad(0, 0);
        }
    }

    public static MachineLoad parse(String cpuLine) {
        String[] words = cpuLine.trim().split("\\s+", -1);
        long busy = 0;
        long total = 0;
        for (int column = 0; column <= STEAL && column + 1 < words.length; column++) {
            long ticks = Long.parseLong(words[column + 1]);
            total += ticks;
            if (column != IDLE && column != WAITING_FOR_DISK) {
                busy += ticks;
            }
        }
        return new MachineLoad(busy, total);
    }

    /**
     * The share of the machine, in percent, that other processes took since {@code earlier}; NaN if it is unknown or
     * {@code earlier} is too recent.
     */
    public double foreignPercent(MachineLoad earlier, long ownCpuNanos) {
        long total = totalTicks - earlier.totalTicks;
        if (total < LEAST_TICKS) {
            return Double.NaN;
        }
        double foreign = busyTicks - earlier.busyTicks - ownCpuNanos / NANOS_PER_TICK;
        return Math.max(0, 100 * foreign / total);
    }
}
