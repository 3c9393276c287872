// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task finds the worker of its thread, of whatever class the thread is. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkerThreadContractTest {
    /** A thread whose id and name tell nothing. */
    private static final class Odd extends Thread {
        Odd(Runnable body) {
            super(body);
        }

        @Override
        @SuppressWarnings("deprecation") // overridden as users do
        public long getId() {
            return 1;
        }
    }

    private static Spindle of(@Nullable ThreadFactory factory) {
        SpindleBuilder builder = Spindles.options().coreThreads(1).maxThreads(2);
        return factory == null
                ? builder.build()
                : builder.threadFactory(factory).build();
    }

    private static @Nullable Object worker(Spindle spindle) {
        CompletableFuture<@Nullable Object> seen = new CompletableFuture<>();
        spindle.execute(() -> seen.complete(WorkerContext.current()));
        return seen.join();
    }

    @Test
    void taskOfEachKindOfThread_findsItsOwnWorker() {
        for (ThreadFactory factory : new @Nullable ThreadFactory[] {null, Thread::new, Odd::new}) {
            try (Spindle spindle = of(factory)) {
                Object worker = worker(spindle);

                assertThat(worker).isInstanceOf(WorkerContext.class);
                assertThat(worker(spindle)).isSameAs(worker); // the one worker of the core
                assertThat(WorkerContext.current()).isNull();
            }
        }
    }

    @Test
    void taskOfOneSpindle_thatWaitsForAnother_keepsItsWorker() {
        try (Spindle outer = of(null);
                Spindle inner = of(Odd::new)) {
            List<@Nullable Object> seen = new ArrayList<>();
            CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
            outer.execute(() -> {
                seen.add(WorkerContext.current());
                seen.add(worker(inner));
                seen.add(WorkerContext.current());
                done.complete(null);
            });
            done.join();

            assertThat(seen.get(0)).isNotNull().isSameAs(seen.get(2)).isNotSameAs(seen.get(1));
            assertThat(seen.get(1)).isNotNull();
        }
    }

    @Test
    void threadThatSurvivesItsWorker_hasNoWorker() throws Exception {
        CompletableFuture<@Nullable Object> after = new CompletableFuture<>();
        ThreadFactory factory = worker -> new Thread(() -> {
            worker.run();
            after.complete(WorkerContext.current());
        });
        try (Spindle spindle = of(factory)) {
            assertThat(worker(spindle)).isNotNull();
        }

        assertThat(after.get(30, TimeUnit.SECONDS)).isNull();
    }
}
