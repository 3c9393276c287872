// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.browser;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A spindle at work, with 10,000 keys and the parts of all modules. Five keys are stuck: one on a service, two on a
 * lock that it holds, one on an async stage, and one that has a name to be careful with.
 */
final class Shop implements AutoCloseable {
    final Spindle spindle = Spindle.builder()
            .name("shop")
            .maxThreads(64)
            .keyKeepAlive(Duration.ofHours(1))
            .build();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final ReentrantLock stock = new ReentrantLock();
    private final CompletableFuture<String> never = new CompletableFuture<>();
    private final CountDownLatch locked = new CountDownLatch(1);
    private final Parts parts = new Parts(spindle);

    Shop() {
        this(true);
    }

    Shop(boolean stuck) {
        Keyed<String> orders = spindle.keyed("orders");
        for (int i = 0; i < 10_000; i++) {
            orders.execute("order-" + i, () -> {});
        }
        if (stuck) {
            orders.execute("order-12", this::charge);
            awaitLock();
            orders.execute("order-77", this::reserve);
            orders.execute("order-81", this::reserve);
            CompletableFuture<String> unused = orders.submitAsync("order-9001", () -> never);
            orders.execute("<img src=x onerror=\"pwned=1\">\u202e", this::check);
        }
        LogicalExecutor lookups = spindle.executor("lookups", 4);
        Keyed<String> prices = spindle.keyed("prices");
        int[] round = {0};
        Future<?> unused = spindle.scheduleAtFixedRate(
                () -> {
                    int now = round[0]++;
                    for (int i = 0; i < 20; i++) {
                        orders.execute("order-" + (100 + (now * 20 + i) % 5_000), () -> {});
                        CompletableFuture<Boolean> ignored = prices.coalesce("ACME", () -> {});
                    }
                    if (stuck) {
                        orders.execute(now % 2 == 0 ? "order-77" : "order-9001", () -> {});
                    }
                    parts.feed(now);
                    if (now % 10 == 0) {
                        lookups.execute(() -> LockSupport.parkNanos(5_000_000));
                        spindle.execute(() -> LockSupport.parkNanos(2_000_000));
                    }
                },
                0,
                5,
                TimeUnit.MILLISECONDS);
    }

    private void charge() {
        stock.lock();
        try {
            locked.countDown();
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stock.unlock();
        }
    }

    private void reserve() {
        stock.lock();
        try {
            locked.countDown();
        } finally {
            stock.unlock();
        }
    }

    private void check() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitLock() {
        try {
            locked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        answer.countDown();
        never.complete("");
        parts.close();
        spindle.close();
    }
}
