// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.Keyed;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.OwnProcess;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** The memory of keys, by the heap after a collection. */
final class KeyMemory {
    static final Figure BYTES = Figure.worst("bytes_per_key", "bytes/idle key, without the key object");
    static final Figure HEAP = Figure.worst("heap_mb", "heap, MB");
    static final Figure GROWTH = Figure.worst("heap_growth", "heap, x that of the second of ten readings");

    private static final int MILLION = 1_000_000;
    private static final int POINTS = 10;
    private static final int PENDING = 10_000;

    private KeyMemory() {}

    /**
     * Returns the subject that measures the bytes of an idle key, which has run a task and has not been retired. A
     * small heap retains fewer idle keys; a million keys need 3 GiB.
     */
    static Subject idle(Subject.Scale scale) {
        return Subject.of(
                recorder -> {
                    idle(PENDING);
                    recorder.value(BYTES, idle(scale.of(MILLION, PENDING)));
                },
                () -> {});
    }

    private static double idle(int count) throws InterruptedException {
        Integer[] keys = new Integer[count];
        Arrays.setAll(keys, key -> key);
        try (Spindle spindle =
                Spindle.builder().keyKeepAlive(Duration.ofHours(1)).build()) {
            Keyed<Integer> keyed = spindle.keyed("keys");
            run(keyed, new Integer[] {-1});
            long before = OwnProcess.afterCollection();
            run(keyed, keys);
            long after = OwnProcess.afterCollection();
            int lingering = spindle.stats().keys();
            if (lingering < count) {
                throw new StalledException("only " + lingering + " of " + count + " idle keys linger in this heap");
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
     * Returns the subject that submits one task to each of ten million distinct keys, and reads the used heap ten
     * times. The capacity limits the pending tasks to 10,000, so that the heap contains keys instead of pending tasks.
     * At the first reading the key table has not reached its final size, so the growth is that since the second.
     */
    static Subject inTurn(Subject.Scale scale) {
        return Subject.of(recorder -> inTurn(recorder, scale.of(10 * MILLION, 10 * PENDING)), () -> {});
    }

    private static void inTurn(Recorder recorder, int count) {
        LongAdder ran = new LongAdder();
        double second = 0;
        try (Spindle spindle = Spindle.builder()
                .capacity(PENDING, OnFull.block(Duration.ofMinutes(1)))
                .build()) {
            Keyed<Long> keyed = spindle.keyed("keys");
            long next = 0;
            for (int point = 1; point <= POINTS; point++) {
                for (long end = (long) count * point / POINTS; next < end; next++) {
                    keyed.execute(next, ran::increment);
                }
                double heap = OwnProcess.afterCollection() / 1e6;
                recorder.value(HEAP, heap);
                second = point == 2 ? heap : second;
                recorder.value(GROWTH, point > 2 ? heap / second : 1);
            }
        }
        recorder.violations(Math.abs(count - ran.sum()));
    }
}
