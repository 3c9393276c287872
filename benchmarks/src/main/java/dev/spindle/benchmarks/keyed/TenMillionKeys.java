// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.Keyed;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.forks.UsedHeap;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Distinct keys in turn, each used once, in a small heap: is everything about a key gone when it is no longer used? The
 * producer waits while 10,000 tasks are pending, so that what is measured is keys and not a backlog.
 */
public final class TenMillionKeys {
    /** Marks a line with the heap in use, in bytes. */
    static final String HEAP = "@heap ";

    /** Marks the line with the number of tasks that ran. */
    static final String RAN = "@ran ";

    private static final int POINTS = 10;
    private static final int PENDING = 10_000;

    private TenMillionKeys() {}

    /** Argument: how many keys. */
    public static void main(String[] args) {
        long count = Long.parseLong(args[0]);
        LongAdder ran = new LongAdder();
        Runnable task = ran::increment;
        try (Spindle spindle = Spindle.builder()
                .capacity(PENDING)
                .onFull(OnFull.block(Duration.ofMinutes(1)))
                .build()) {
            Keyed<Long> keyed = spindle.keyed();
            long next = 0;
            for (int point = 1; point <= POINTS; point++) {
                for (long end = count * point / POINTS; next < end; next++) {
                    keyed.execute(next, task);
                }
                System.out.println(HEAP + UsedHeap.afterCollection());
                System.out.printf(
                        Locale.ROOT,
                        "%,d keys so far, %,d in the table%n",
                        next,
                        spindle.stats().keys());
            }
        }
        System.out.println(RAN + ran.sum());
    }
}
