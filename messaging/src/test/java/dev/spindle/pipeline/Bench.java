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

/** A spindle for tests of the coalescer, which collects failures and fails a test that has not removed them. */
final class Bench implements AfterEachCallback {
    private static final long LIMIT_SECONDS = 20;

    private final BlockingQueue<Failure> failures = new LinkedBlockingQueue<>();
    private final Spindle spindle;

    /** The failures that the failure handler got. */
    record Failure(@Nullable Object key, Object task, Throwable thrown) {}

    Bench() {
        FailureHandler collect = (key, task, thrown) -> failures.add(new Failure(key, task, thrown));
        spindle = Spindle.builder()
                .coreThreads(2)
                .maxThreads(8)
                .onFailure(collect)
                .build();
    }

    Spindle spindle() {
        return spindle;
    }

    /** Waits for the next failure, removes and returns it. */
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

    /** A handler that records its values, and blocks in the first until it is opened. */
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

        /** Blocks the strand, so that later offers wait. */
        Gate block(Coalescer<String, Integer> coalescer) {
            coalescer.offer("gate", 0);
            await(entered);
            return this;
        }

        void open() {
            opened.countDown();
        }

        /** Returns the delivered values, without the one that blocked. */
        List<String> seen() {
            return seen.stream().filter(s -> !s.startsWith("gate")).toList();
        }
    }
}
