// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;

import dev.spindle.FailureHandler;
import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A spindle for a test of the coalescer, ended after it; collects what handlers throw and fails the test for it. */
final class Bench implements AfterEachCallback {
    private static final long LIMIT_SECONDS = 20;

    private final BlockingQueue<Failure> failures = new LinkedBlockingQueue<>();
    private final Spindle spindle;

    /** What the failure handler was told. */
    record Failure(@Nullable Object key, Object task, Throwable thrown) {}

    Bench() {
        FailureHandler collect = (key, task, thrown) -> failures.add(new Failure(key, task, thrown));
        spindle = Spindle.builder().core(2).max(8).onFailure(collect).build();
    }

    Spindle spindle() {
        return spindle;
    }

    /** Waits for the next failure and takes it away. */
    Failure takeFailure() throws InterruptedException {
        Failure failure = failures.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (failure == null) {
            throw new AssertionError("no failure within " + LIMIT_SECONDS + " s");
        }
        return failure;
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        spindle.shutdownNow();
        if (!spindle.awaitTermination(10, TimeUnit.SECONDS)) {
            throw new AssertionError(spindle + " did not end");
        }
        List<Failure> left = new ArrayList<>();
        failures.drainTo(left);
        if (!left.isEmpty()) {
            throw new AssertionError("a handler failed: " + left, left.get(0).thrown());
        }
    }

    /** A handler that notes what it gets, and stays in the first value until it is opened. */
    static final class Gate implements BiConsumer<String, Integer> {
        private final List<String> seen = new ArrayList<>(); // written by the strand, read after a drain or a latch
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        @Override
        public void accept(String key, Integer value) {
            seen.add(key + value);
            entered.countDown();
            await(opened);
        }

        /** Makes the strand busy, so that what is offered from now on waits. */
        Gate block(Coalescer<String, Integer> coalescer) {
            coalescer.offer("gate", 0);
            await(entered);
            return this;
        }

        void open() {
            opened.countDown();
        }

        /** What was delivered, without what was there for the gate. */
        List<String> seen() {
            return seen.stream().filter(s -> !s.startsWith("gate")).toList();
        }
    }
}
