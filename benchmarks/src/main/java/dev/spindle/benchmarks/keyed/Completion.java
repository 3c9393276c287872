// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Completes when every key has run its last event.
 *
 * <p>Keys count down in {@value #GROUPS} groups a cache line apart, and only the last key of a group touches the latch:
 * with 100,000 keys one shared counter would be a cost of the harness, not of the contender.
 */
final class Completion {
    private static final int GROUPS = 64;
    private static final int STRIDE = 16;

    private final AtomicIntegerArray keysLeft = new AtomicIntegerArray(GROUPS * STRIDE);
    private final CountDownLatch groupsLeft;

    /** @param eventsOfKey how many events each key gets; keys without any are not waited for */
    Completion(int[] eventsOfKey) {
        for (int key = 0; key < eventsOfKey.length; key++) {
            if (eventsOfKey[key] > 0) {
                keysLeft.getAndIncrement(slot(key));
            }
        }
        int groups = 0;
        for (int group = 0; group < GROUPS; group++) {
            if (keysLeft.get(group * STRIDE) > 0) {
                groups++;
            }
        }
        groupsLeft = new CountDownLatch(groups);
    }

    void keyDone(int key) {
        if (keysLeft.decrementAndGet(slot(key)) == 0) {
            groupsLeft.countDown();
        }
    }

    boolean await(Duration limit) throws InterruptedException {
        return groupsLeft.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static int slot(int key) {
        return (key % GROUPS) * STRIDE;
    }
}
