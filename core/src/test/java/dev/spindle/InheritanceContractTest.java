// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U4: workers have the configured properties and inherit nothing from the first submitter. */
@Timeout(60)
class InheritanceContractTest {
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    /** Executors with their own threads, without a thread factory. */
    enum Kind {
        SPINDLE(() -> Spindles.options().name("kind").coreThreads(1).build()),
        STRAND(() -> Strand.builder("kind").build()),
        GROUP(() -> Strand.builder("kind").buildGroup(1).at(0));

        @SuppressWarnings("ImmutableEnumChecker") // keeps nothing
        final Supplier<ExecutorService> maker;

        Kind(Supplier<ExecutorService> maker) {
            this.maker = maker;
        }
    }

    /** The properties of a worker thread. */
    record Seen(
            boolean daemon,
            int priority,
            @Nullable ClassLoader loader,
            @Nullable String inherited,
            ThreadGroup group) {
        static Seen here() {
            Thread thread = Thread.currentThread();
            return new Seen(
                    thread.isDaemon(),
                    thread.getPriority(),
                    thread.getContextClassLoader(),
                    INHERITED.get(),
                    requireNonNull(thread.getThreadGroup()));
        }
    }

    /** Returns the result of {@code seen}, called on a thread with unusual properties. */
    private static Seen by(ThreadGroup group, Callable<Seen> seen) throws Exception {
        FutureTask<Seen> call = new FutureTask<>(() -> {
            INHERITED.set("of the submitter");
            return seen.call();
        });
        Thread odd = new Thread(group, call);
        odd.setDaemon(true);
        odd.setPriority(Thread.MIN_PRIORITY);
        try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
            odd.setContextClassLoader(loader);
            odd.start();
            return call.get(20, TimeUnit.SECONDS);
        }
    }

    private static ThreadGroup odd() {
        ThreadGroup group = new ThreadGroup("odd");
        group.setMaxPriority(Thread.MIN_PRIORITY);
        return group;
    }

    private static void assertNothingTaken(Seen seen, ThreadGroup group) {
        assertThat(seen.priority()).isEqualTo(Thread.NORM_PRIORITY);
        assertThat(seen.loader()).isSameAs(Spindle.class.getClassLoader());
        assertThat(seen.inherited()).as("inherited thread-local").isNull();
        assertThat(seen.group()).isNotSameAs(group);
    }

    @ParameterizedTest
    @EnumSource
    void u4_oddThreadSubmitsFirst_workerTakesNothingFromIt(Kind kind) throws Exception {
        ThreadGroup group = odd();
        ExecutorService executor = kind.maker.get();

        Seen seen = by(group, () -> result(executor.submit(Seen::here)));

        assertThat(seen.daemon()).as("a daemon").isFalse();
        assertNothingTaken(seen, group);
        executor.shutdown();
        assertThat(executor.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }

    /** A thread of the library calls the factory again. */
    @Test
    void u4_oddThreadFindsNoThread_whoAsksAgainTakesNothingFromIt() throws Exception {
        ThreadGroup group = odd();
        CompletableFuture<Seen> again = new CompletableFuture<>();
        AtomicInteger made = new AtomicInteger();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        try (Spindle spindle = Spindle.builder()
                .coreThreads(1)
                .maxThreads(2)
                .threadFactory(worker -> {
                    if (made.getAndIncrement() == 1) {
                        throw new IllegalStateException("no thread is made, on purpose");
                    }
                    if (Thread.currentThread().getName().endsWith("-retry")) {
                        again.complete(Seen.here());
                    }
                    return new Thread(worker);
                })
                .build()) {
            spindle.execute(() -> Spindle.callBlocking(() -> {
                busy.countDown();
                await(free);
                return null;
            }));
            await(busy);

            Seen seen = by(group, () -> {
                spindle.execute(() -> {});
                return again.get(20, TimeUnit.SECONDS);
            });

            free.countDown();
            assertThat(seen.daemon()).as("a daemon").isTrue();
            assertNothingTaken(seen, group);
        }
    }

    @Test
    void u4_threadFactory_decides() {
        try (Spindle spindle = Spindles.options()
                .coreThreads(1)
                .threadFactory(worker -> {
                    Thread thread = new Thread(worker);
                    thread.setDaemon(true);
                    thread.setPriority(Thread.MAX_PRIORITY);
                    return thread;
                })
                .build()) {
            Seen seen = result(spindle.submit(Seen::here));

            assertThat(seen.daemon()).isTrue();
            assertThat(seen.priority()).isEqualTo(Thread.MAX_PRIORITY);
        }
    }
}
