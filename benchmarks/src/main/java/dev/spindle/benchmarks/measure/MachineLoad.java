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
 * @param busyTicks time that some process, or the host of a virtual machine, had a processor
 * @param totalTicks the same and idle time
 */
public record MachineLoad(long busyTicks, long totalTicks) {
    /** Rounds in which others took more of the machine than this, in percent, are marked. */
    public static final double FOREIGN_LIMIT = 15;

    private static final double NANOS_PER_TICK = 1e7;
    /** In less than this a single tick says nothing. */
    private static final long LEAST_TICKS = 40;

    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISK = 4;
    /** The columns after it count guests, whose time is in the first columns already. */
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
     * The share of the machine, in percent, that went to others since {@code earlier}; NaN when not known, or too short
     * ago.
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
