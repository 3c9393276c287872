// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The processor time of the whole machine since its start, in ticks of 10 ms; 0 if there is no {@code /proc/stat}.
 *
 * @param busyTicks the time in which the processors were busy, or were taken by the host of a virtual machine
 * @param totalTicks the busy time plus the idle time
 */
public record MachineLoad(long busyTicks, long totalTicks) {
    /** The percentage of foreign load above which a round counts as disturbed. */
    public static final double FOREIGN_LIMIT = 15;

    private static final double NANOS_PER_TICK = 1e7;
    /**
     * The shortest interval for which a load is computed; in a shorter interval, the resolution of one tick is too
     * coarse.
     */
    private static final long LEAST_TICKS = 40;

    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISK = 4;
    /** The last column that is counted; the guest times in later columns are contained in the first two. */
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
     * Returns the percentage of the machine's processor time that other processes used since {@code earlier}. The
     * result is NaN if the interval is unknown or too short.
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
