// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A spindle, events with plain fields, and waits with a limit. */
abstract class PipelineFixture {
    final Spindle spindle = Spindle.builder().core(2).max(8).build();

    @AfterEach
    void close() {
        spindle.shutdownNow();
    }

    /** What is in a slot. Plain fields: the pipeline has to make them visible. */
    static final class Event {
        int value;
        int doubled;
        final List<String> trace = new ArrayList<>();

        void set(int to) {
            value = to;
            doubled = 0;
            trace.clear();
        }
    }

    static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    /** A body that may be interrupted. */
    interface Body {
        void run() throws InterruptedException;
    }

    static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    static void await(java.util.function.Supplier<String> what, java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what.get()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
