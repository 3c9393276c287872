// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.forks.UsedHeap;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * How many bytes a key takes that has run a task and waits for its retirement. The key objects exist before and after,
 * and are not counted.
 */
public final class IdleKeyMemory {
    /** Marks the line with the result. */
    static final String RESULT = "@bytes ";

    private static final int WARM_UP = 10_000;

    private IdleKeyMemory() {}

    /** Argument: how many keys. A million wants a heap of 3 GiB: a small one lets fewer idle keys linger. */
    public static void main(String[] args) throws InterruptedException {
        Integer[] keys = keys(Integer.parseInt(args[0]));
        measure(keys(WARM_UP));
        double bytes = measure(keys);
        System.out.printf(Locale.ROOT, "%s%.1f%n", RESULT, bytes);
    }

    private static double measure(Integer[] keys) throws InterruptedException {
        try (Spindle spindle = Spindle.builder().linger(Duration.ofHours(1)).build()) {
            Keyed<Integer> keyed = spindle.keyed();
            run(keyed, new Integer[] {-1});
            long before = UsedHeap.afterCollection();
            run(keyed, keys);
            long after = UsedHeap.afterCollection();
            int lingering = spindle.stats().keys();
            if (lingering < keys.length) {
                throw new IllegalStateException("only " + lingering + " of " + keys.length
                        + " idle keys linger: give this JVM a larger heap with -Xmx");
            }
            return (after - before) / (double) keys.length;
        }
    }

    private static void run(Keyed<Integer> keyed, Integer[] keys) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(keys.length);
        for (Integer key : keys) {
            keyed.execute(key, ran::countDown);
        }
        ran.await();
        for (Integer key : keys) {
            keyed.quiesce(key).join(); // the last step of a turn comes after the task
        }
    }

    private static Integer[] keys(int count) {
        Integer[] keys = new Integer[count];
        Arrays.setAll(keys, key -> key);
        return keys;
    }
}
