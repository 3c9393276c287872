// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.forked;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.util.concurrent.CountDownLatch;

/**
 * A program with 10,000 busy keys, of which one hangs. It ends when its input ends. The argument is the number of
 * threads.
 */
public final class StuckKey {
    private StuckKey() {}

    /** Runs the program. */
    public static void main(String[] arguments) throws Exception {
        Spindle spindle = Spindle.builder()
                .name("shop")
                .maxThreads(Integer.parseInt(arguments[0]))
                .coreThreads(1)
                .keyInThreadName(true)
                .build();
        Keyed<String> orders = spindle.keyed("orders");
        CountDownLatch reserved = new CountDownLatch(1);
        CountDownLatch hangs = new CountDownLatch(1);
        orders.execute("order-7777", () -> reserve(hangs, reserved));
        hangs.await();
        for (int round = 0; round < 3; round++) {
            for (int key = 0; key < 10_000; key++) {
                orders.execute("order-" + key, () -> {});
            }
        }
        System.out.println("ready"); // for the test
        boolean unused = System.in.readAllBytes().length > 0; // waits for the end of the input
        System.exit(0);
    }

    private static void reserve(CountDownLatch hangs, CountDownLatch stock) {
        hangs.countDown();
        try {
            stock.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
