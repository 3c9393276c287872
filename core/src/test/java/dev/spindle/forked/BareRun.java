// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.forked;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A program that uses a spindle and as little of the JDK as possible. Its exit status is 0 on success. */
public final class BareRun {
    private BareRun() {}

    /** Runs tasks of every kind and prints their number. With the argument {@code slow} one of them takes 20 ms. */
    public static void main(String[] args) throws Exception {
        Spindle spindle =
                Spindle.builder().name("bare").coreThreads(1).maxThreads(2).build();
        Keyed<String> keys = spindle.keyed("keys");
        var reads = spindle.executor("reads", 1);
        int sum = keys.submit("key", () -> 1).get()
                + spindle.submit(() -> 2).get()
                + reads.submit(() -> 4).get()
                + spindle.schedule(() -> 8, 1, TimeUnit.MILLISECONDS).get();
        keys.execute("key", () -> {
            if (args.length > 0) {
                burn(Duration.ofMillis(20));
            }
        });
        keys.at("key").quiesce().get();
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            spindle.execute(
                    () -> { // blocks, so that the pool grows
                        both.countDown();
                        await(both);
                    });
        }
        await(both);
        reads.shutdown();
        try {
            reads.execute(() -> {});
            throw new AssertionError("accepted after a shutdown");
        } catch (RejectedExecutionException expected) {
            sum += 16;
        }
        spindle.close();
        if (sum != 31 || spindle.stats().completed() != 7 || spindle.stats().accepted() != 7) {
            throw new AssertionError(sum + " " + spindle.stats());
        }
        if (hasFlightRecorder() != args.length > 0) {
            throw new AssertionError("with or without jdk.jfr, the wrong way round");
        }
    }

    private static boolean hasFlightRecorder() {
        try {
            Class<?> unused = Class.forName("jdk.jfr.Event");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static void burn(Duration time) {
        for (long end = System.nanoTime() + time.toNanos(); System.nanoTime() - end < 0; ) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("not reached: " + latch);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
