// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.Keyed;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.measure.UsedHeap;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** The main class of forks that measure the memory of keys. */
final class KeyMemory {
    static final String BYTES = "@bytes ";
    static final String HEAP = "@heap ";
    static final String RAN = "@ran ";

    static final String IDLE = "idle";
    static final String IN_TURN = "in-turn";

    private static final int WARM_UP = 10_000;
    private static final int POINTS = 10;
    private static final int PENDING = 10_000;

    private KeyMemory() {}

    /** Runs a measurement; the arguments are {@link #IDLE} or {@link #IN_TURN}, and the number of keys. */
    public static void main(String[] args) throws InterruptedException {
        int count = Integer.parseInt(args[1]);
        if (args[0].equals(IDLE)) {
            idle(WARM_UP);
            System.out.printf(Locale.ROOT, "%s%.1f%n", BYTES, idle(count));
        } else {
            inTurn(count);
        }
    }

    /**
     * Returns the bytes of an idle key, not including the key object. The key has run a task and has not been retired.
     * A small heap retains fewer idle keys; a million keys need 3 GiB.
     */
    private static double idle(int count) throws InterruptedException {
        Integer[] keys = new Integer[count];
        Arrays.setAll(keys, key -> key);
        try (Spindle spindle =
                Spindle.builder().keyKeepAlive(Duration.ofHours(1)).build()) {
            Keyed<Integer> keyed = spindle.keyed("keys");
            run(keyed, new Integer[] {-1});
            long before = UsedHeap.afterCollection();
            run(keyed, keys);
            long after = UsedHeap.afterCollection();
            int lingering = spindle.stats().keys();
            if (lingering < count) {
                throw new IllegalStateException("only " + lingering + " of " + count
                        + " idle keys linger: give this JVM a larger heap with -Xmx");
            }
            return (after - before) / (double) count;
        }
    }

    private static void run(Keyed<Integer> keyed, Integer[] keys) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(keys.length);
        for (Integer key : keys) {
            keyed.execute(key, ran::countDown);
        }
        ran.await();
        for (Integer key : keys) {
            keyed.at(key).quiesce().join(); // waits for the end of the key's turn
        }
    }

    /**
     * Submits one task to each of {@code count} distinct keys, and prints the used heap ten times. The capacity limits
     * the pending tasks to 10,000, so that the heap contains keys instead of pending tasks.
     */
    private static void inTurn(int count) {
        LongAdder ran = new LongAdder();
        try (Spindle spindle = Spindle.builder()
                .capacity(PENDING, OnFull.block(Duration.ofMinutes(1)))
                .build()) {
            Keyed<Long> keyed = spindle.keyed("keys");
            long next = 0;
            for (int point = 1; point <= POINTS; point++) {
                for (long end = (long) count * point / POINTS; next < end; next++) {
                    keyed.execute(next, ran::increment);
                }
                System.out.println(HEAP + UsedHeap.afterCollection());
            }
        }
        System.out.println(RAN + ran.sum());
    }
}
