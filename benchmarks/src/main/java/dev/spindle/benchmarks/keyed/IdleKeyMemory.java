// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.openjdk.jol.info.GraphLayout;

/**
 * How many bytes a key takes that has run a task and waits for its retirement. The key objects exist before and after,
 * and are not counted.
 */
public final class IdleKeyMemory {
    /** Marks the line with the result. */
    static final String RESULT = "@bytes ";

    /** How to find out. */
    enum Method {
        /** The difference in heap after a collection. */
        HEAP {
            @Override
            long bytes(Spindle spindle) {
                return UsedHeap.afterCollection();
            }
        },
        /** The difference in what can be reached from the executor; slow. */
        GRAPH {
            @Override
            long bytes(Spindle spindle) {
                return GraphLayout.parseInstance(spindle).totalSize();
            }
        };

        abstract long bytes(Spindle spindle);
    }

    private static final int WARM_UP = 10_000;

    private IdleKeyMemory() {}

    /** Arguments: method; how many keys. A million wants a heap of 3 GiB: a small one lets fewer idle keys linger. */
    public static void main(String[] args) throws InterruptedException {
        Method method = Method.valueOf(args[0]);
        Integer[] keys = keys(Integer.parseInt(args[1]));
        long keyBytes = method == Method.GRAPH
                ? keys.length
                        * GraphLayout.parseInstance((Object) keys[keys.length - 1])
                                .totalSize()
                : 0;
        measure(method, keys(WARM_UP), 0);
        double bytes = measure(method, keys, keyBytes);
        System.out.printf(Locale.ROOT, "%s%.1f%n", RESULT, bytes);
    }

    private static double measure(Method method, Integer[] keys, long keyBytes) throws InterruptedException {
        try (Spindle spindle = Spindle.builder().linger(Duration.ofHours(1)).build()) {
            Keyed<Integer> keyed = spindle.keyed();
            run(keyed, new Integer[] {-1});
            long before = method.bytes(spindle);
            run(keyed, keys);
            long after = method.bytes(spindle);
            int lingering = spindle.stats().keys();
            if (lingering < keys.length) {
                throw new IllegalStateException("only " + lingering + " of " + keys.length
                        + " idle keys linger: give this JVM a larger heap with -Xmx");
            }
            return (after - keyBytes - before) / (double) keys.length;
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
