// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.spindle.TestSupport.Gate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F1: a throwable ends its own task and nothing else. */
@Timeout(60)
class FailureContractTest {
    /** A way for a task to fail. */
    enum Fault implements Runnable {
        EXCEPTION,
        SNEAKY_CHECKED,
        ERROR,
        STACK_OVERFLOW,
        THREAD_DEATH,
        OUT_OF_MEMORY;

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        public void run() {
            switch (this) {
                case EXCEPTION -> throw new IllegalArgumentException("on purpose");
                case SNEAKY_CHECKED -> throw Fault.<RuntimeException>unchecked(new IOException("on purpose"));
                case ERROR -> throw new AssertionError("on purpose");
                case STACK_OVERFLOW -> overflow(1);
                case THREAD_DEATH -> throw new ThreadDeath();
                case OUT_OF_MEMORY -> throw new OutOfMemoryError("on purpose");
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <X extends Exception> X unchecked(Exception failure) throws X {
            throw (X) failure;
        }

        @SuppressWarnings("InfiniteRecursion")
        private static int overflow(int depth) {
            return depth + overflow(depth + 1) + overflow(depth + 2);
        }

        @SuppressWarnings({"deprecation", "removal"})
        Class<? extends Throwable> type() {
            return switch (this) {
                case EXCEPTION -> IllegalArgumentException.class;
                case SNEAKY_CHECKED -> IOException.class;
                case ERROR -> AssertionError.class;
                case STACK_OVERFLOW -> StackOverflowError.class;
                case THREAD_DEATH -> ThreadDeath.class;
                case OUT_OF_MEMORY -> OutOfMemoryError.class;
            };
        }
    }

    private record Told(@Nullable Object key, Object task, Throwable failure) {}

    private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();
    private final AtomicInteger threadsMade = new AtomicInteger();
    private final Spindle spindle = Spindles.options()
            .coreThreads(2)
            .maxThreads(2)
            .threadFactory(r -> new Thread(r, "failure-" + threadsMade.incrementAndGet()))
            .onFailure(
                    (activity, failure) -> told.add(new Told(activity.key(), requireNonNull(activity.task()), failure)))
            .build();

    @AfterEach
    void close() {
        spindle.close();
    }

    @ParameterizedTest
    @EnumSource
    void f1_keyedTaskThrows_handlerToldOnceAndLaneGoesOnInOrder(Fault fault) {
        Keyed<String> keys = spindle.keyed("keys");
        List<Integer> order = new ArrayList<>(); // plain: the lane orders its turns
        keys.execute("a", () -> order.add(1));
        keys.execute("a", fault);
        keys.execute("a", () -> order.add(2));
        keys.execute("a", () -> order.add(3));
        result(keys.at("a").quiesce());

        assertThat(order).containsExactly(1, 2, 3);
        assertThat(told).singleElement().satisfies(t -> {
            assertThat(t.key()).isEqualTo("a");
            assertThat(t.task()).isSameAs(fault);
            assertThat(t.failure()).isInstanceOf(fault.type());
        });
    }

    @Test
    void f1_activityOfAFailure_tellsOwnerKeyTaskAndThread() {
        List<Activity> seen = Collections.synchronizedList(new ArrayList<>());
        try (Spindle named = Spindles.options()
                .name("named")
                .coreThreads(1)
                .maxThreads(1)
                .onFailure((activity, failure) -> seen.add(activity))
                .build()) {
            Runnable fails = () -> {
                throw new IllegalStateException("expected");
            };
            named.execute(fails);
            named.executor("reads", 1).execute(fails);
            named.strand("journal").execute(fails);
            named.<Integer>keyed("orders").execute(42, fails);
            result(named.submit(() -> {}));
            until(() -> seen.size() == 4);
            assertThat(seen)
                    .allMatch(activity -> activity.task() == fails)
                    .allMatch(activity ->
                            requireNonNull(activity.thread()).getName().startsWith("named"));
        }

        assertThat(seen)
                .extracting(Activity::owner)
                .containsExactlyInAnyOrder("spindle named", "executor reads", "strand journal", "key orders/42");
        assertThat(seen)
                .extracting(Activity::kind)
                .containsExactlyInAnyOrder(
                        Activity.Kind.TASK, Activity.Kind.EXECUTOR, Activity.Kind.LANE, Activity.Kind.LANE);
        assertThat(seen)
                .filteredOn(activity -> "orders".equals(activity.space()))
                .singleElement()
                .satisfies(activity -> {
                    assertThat(activity.key()).isEqualTo(42);
                    assertThat(activity.runningFor()).isNotNull();
                });
    }

    @Test
    void f1_keyWhoseToStringThrows_isNoObstacleForTheHandler() {
        Object key = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("toString");
            }
        };
        Keyed<Object> keys = spindle.keyed("keys");
        keys.execute(key, Fault.values()[0]);
        result(keys.at(key).quiesce());

        assertThat(told).singleElement().satisfies(t -> assertThat(t.key()).isSameAs(key));
        assertThat(spindle.stats().handlerFailures()).isZero();
    }

    @Test
    void f1_taskOfItsSubmitterFails_activityHasTheNameOfItsExecutorAndNotOfTheTurn() {
        List<Activity> seen = Collections.synchronizedList(new ArrayList<>());
        try (Spindle one = Spindles.options()
                .coreThreads(1)
                .maxThreads(1)
                .onFailure((activity, failure) -> seen.add(activity))
                .build()) {
            LogicalExecutor full = one.executorBuilder("full")
                    .maxConcurrency(1)
                    .capacity(1, OnFull.callerRuns())
                    .build();
            result(one.executor("other", 1).submit(() -> {
                for (int i = 0; i < 3; i++) { // the third finds no place
                    full.execute(() -> {
                        throw new IllegalStateException("expected");
                    });
                }
            }));
            until(() -> seen.size() == 3);
        }

        assertThat(seen).extracting(Activity::owner).containsOnly("executor full");
    }

    @ParameterizedTest
    @EnumSource
    void f1_plainTaskThrows_handlerToldWithoutKey(Fault fault) {
        spindle.execute(fault);
        until(() -> !told.isEmpty());
        assertThat(told).singleElement().satisfies(t -> {
            assertThat(t.key()).isNull();
            assertThat(t.task()).isSameAs(fault);
            assertThat(t.failure()).isInstanceOf(fault.type());
        });
    }

    @ParameterizedTest
    @EnumSource
    void f1_strandTaskThrows_handlerToldWithNameOfStrand(Fault fault) {
        Strand strand = spindle.strand("db");
        strand.execute(fault);
        assertThat(result(strand.submit(() -> "after"))).isEqualTo("after");
        assertThat(told).singleElement().satisfies(t -> {
            assertThat(t.key()).isEqualTo("db");
            assertThat(t.failure()).isInstanceOf(fault.type());
        });
    }

    @ParameterizedTest
    @EnumSource
    void f1_coalescingTaskThrows_handlerToldAndNextRuns(Fault fault) {
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<Boolean> failing = keys.coalesce("a", fault);
        assertThatThrownBy(() -> result(failing)).hasRootCauseInstanceOf(fault.type());
        assertThat(result(keys.coalesce("a", () -> {}))).isTrue();
        assertThat(told).singleElement().satisfies(t -> {
            assertThat(t.key()).isEqualTo("a");
            assertThat(t.task()).isSameAs(fault);
            assertThat(t.failure()).isInstanceOf(fault.type());
        });
    }

    @ParameterizedTest
    @EnumSource
    void f1_submitFails_futureAloneIsToldWrappedOnce(Fault fault) {
        Keyed<String> keys = spindle.keyed("keys");
        Callable<String> callable = () -> {
            fault.run();
            return "never";
        };
        List<Future<?>> failing = List.of(
                spindle.submit(fault),
                spindle.submit(callable),
                spindle.submit(fault, "never"),
                keys.submit("a", fault),
                keys.submit("a", callable),
                keys.at("a").submit(callable),
                spindle.strand("s").submit(callable),
                keys.submitAsync("a", () -> {
                    fault.run();
                    return CompletableFuture.completedFuture("never");
                }),
                keys.at("a").schedule(fault, 1, TimeUnit.MILLISECONDS),
                spindle.schedule(callable, 1, TimeUnit.MILLISECONDS),
                spindle.scheduleAtFixedRate(fault, 0, 1, TimeUnit.MILLISECONDS));
        for (Future<?> future : failing) {
            assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
                    .isExactlyInstanceOf(ExecutionException.class)
                    .cause()
                    .isExactlyInstanceOf(fault.type());
        }
        assertThat(result(keys.submit("a", () -> "after"))).isEqualTo("after");
        assertThat(told).isEmpty();
    }

    @Test
    void f1_taskThrowsCancellation_failsItsFutureInsteadOfCancellingIt() {
        CancellationException thrown = new CancellationException("of something inside the task");
        Future<?> future = spindle.submit(() -> {
            throw thrown;
        });
        assertThat(catchThrowable(() -> future.get(20, TimeUnit.SECONDS)))
                .isExactlyInstanceOf(ExecutionException.class)
                .hasCause(thrown);
        assertThat(future.isCancelled()).isFalse();
    }

    @Test
    void f1_taskThrowsCompletionException_isNotUnwrapped() {
        CompletionException thrown = new CompletionException(new IOException("inner"));
        Future<?> future = spindle.submit(() -> {
            throw thrown;
        });
        assertThat(catchThrowable(() -> future.get(20, TimeUnit.SECONDS)).getCause())
                .isSameAs(thrown);
    }

    @Test
    void f1_asyncTaskReturnsNull_failsItsFutureAndLaneGoesOn() {
        Keyed<String> keys = spindle.keyed("keys");
        @SuppressWarnings("NullAway") // the fault under test
        Future<String> future = keys.submitAsync("a", () -> null);
        assertThat(catchThrowable(() -> future.get(20, TimeUnit.SECONDS)))
                .isExactlyInstanceOf(ExecutionException.class)
                .hasCauseExactlyInstanceOf(NullPointerException.class);
        assertThat(result(keys.submit("a", () -> "after"))).isEqualTo("after");
    }

    @ParameterizedTest
    @EnumSource
    void f1_manyFailures_endNoWorkerAndLeaveParallelismWhole(Fault fault) {
        int count = fault == Fault.STACK_OVERFLOW ? 50 : 1_000;
        Keyed<Integer> keys = spindle.keyed("keys");
        for (int i = 0; i < count; i++) {
            keys.execute(i % 7, fault);
            spindle.execute(fault);
        }
        until(() -> told.size() == 2 * count);
        Gate first = new Gate();
        Gate second = new Gate();
        spindle.execute(first);
        keys.execute(1, second);
        first.awaitEntered();
        second.awaitEntered();
        first.open();
        second.open();

        assertThat(threadsMade).hasValueLessThanOrEqualTo(2);
        assertThat(told).allSatisfy(t -> assertThat(t.failure()).isInstanceOf(fault.type()));
        assertThat(spindle.stats().failed()).isEqualTo(2L * count);
        assertThat(spindle.stats().handlerFailures()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void f1_handlerThrows_countedAndIgnored(Fault fault) {
        try (Spindle own = Spindles.options()
                .coreThreads(1)
                .maxThreads(1)
                .onFailure((activity, failure) -> fault.run())
                .build()) {
            Keyed<String> keys = own.keyed("keys");
            for (int i = 0; i < 10; i++) {
                keys.execute("a", Fault.EXCEPTION);
                own.execute(Fault.ERROR);
            }
            CountDownLatch after = new CountDownLatch(2);
            keys.execute("a", after::countDown);
            own.execute(after::countDown);
            await(after);
            assertThat(own.stats().handlerFailures()).isEqualTo(20);
            assertThat(own.stats().failed()).isEqualTo(20);
        }
    }

    @Test
    void f1_handlerCalled_afterTheTaskAndBeforeTheNextOfItsLane() {
        List<String> order = new ArrayList<>();
        try (Spindle own = Spindles.options()
                .coreThreads(2)
                .onFailure((activity, failure) -> order.add("handler"))
                .build()) {
            Keyed<String> keys = own.keyed("keys");
            keys.execute("a", () -> {
                order.add("task");
                throw new IllegalStateException("on purpose");
            });
            keys.execute("a", () -> order.add("next"));
            result(keys.at("a").quiesce());
        }
        assertThat(order).containsExactly("task", "handler", "next");
    }

    @Test
    void f1_noHandler_uncaughtExceptionHandlerAndLogAreTold() {
        List<Throwable> uncaught = new ArrayList<>();
        try (CollectedLog.Recording log = CollectedLog.record()) {
            try (Spindle own = Spindles.options()
                    .name("logging")
                    .coreThreads(1)
                    .maxThreads(1)
                    .threadFactory(r -> {
                        Thread thread = new Thread(r);
                        thread.setUncaughtExceptionHandler((t, failure) -> {
                            assertThat(t).isSameAs(thread);
                            uncaught.add(failure);
                        });
                        return thread;
                    })
                    .build()) {
                Keyed<String> keys = own.keyed("keys");
                keys.execute("the-key", Fault.ERROR);
                assertThat(result(keys.submit("the-key", () -> 1))).isEqualTo(1);
                assertThat(own.stats().handlerFailures()).isZero();
            }
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("the-key")
                    .contains("logging");
        }
        assertThat(uncaught).singleElement().isInstanceOf(AssertionError.class);
    }

    /** Either the log or the existing handler shows the stack trace, once. */
    @Test
    void f1_noHandler_oneStackTraceIsWritten() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        List<Throwable> uncaught = new ArrayList<>();
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (CollectedLog.Recording log = CollectedLog.record()) {
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            Thread.setDefaultUncaughtExceptionHandler(null);
            failOnce();
            assertThat(log.lines()).singleElement().asString().endsWith("failed");
            assertThat(log.traces()).singleElement().isInstanceOf(IllegalArgumentException.class);
            assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty(); // the JDK's handler prints there

            Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
            failOnce();
            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(1)).endsWith("failed: java.lang.IllegalArgumentException: on purpose");
            assertThat(log.traces()).hasSize(1);
            assertThat(uncaught).singleElement().isInstanceOf(IllegalArgumentException.class);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
            System.setErr(err);
        }
    }

    private static void failOnce() {
        try (Spindle own = Spindles.options().coreThreads(1).build()) {
            own.execute(Fault.EXCEPTION);
        }
    }

    /** If a task's toString() throws, the line in the log is lost, but the handler is called. */
    @Test
    void f1_taskWithoutAText_stillReachesTheUncaughtExceptionHandler() {
        List<Throwable> uncaught = new ArrayList<>();
        try (CollectedLog.Recording log = CollectedLog.record();
                Spindle own = Spindles.options()
                        .coreThreads(1)
                        .threadFactory(body -> {
                            Thread thread = new Thread(body);
                            thread.setUncaughtExceptionHandler((t, failure) -> uncaught.add(failure));
                            return thread;
                        })
                        .build()) {
            own.execute(new Runnable() {
                @Override
                public void run() {
                    throw new IllegalArgumentException("the task's");
                }

                @Override
                public String toString() {
                    throw new IllegalStateException("no text");
                }
            });
            until(() -> own.stats().completed() == 1);
            assertThat(log.lines()).isEmpty();
            assertThat(own.stats().handlerFailures()).isEqualTo(1);
        }
        assertThat(uncaught).singleElement().isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void f1_uncaughtExceptionHandlerThrows_countedAndWorkerStays() {
        AtomicInteger made = new AtomicInteger();
        try (CollectedLog.Recording log = CollectedLog.record()) {
            try (Spindle own = Spindles.options()
                    .coreThreads(1)
                    .maxThreads(1)
                    .threadFactory(r -> {
                        made.incrementAndGet();
                        Thread thread = new Thread(r);
                        thread.setUncaughtExceptionHandler((t, failure) -> Fault.ERROR.run());
                        return thread;
                    })
                    .build()) {
                own.execute(Fault.EXCEPTION);
                own.execute(Fault.OUT_OF_MEMORY);
                assertThat(result(own.submit(() -> "after"))).isEqualTo("after");
                assertThat(own.stats().handlerFailures()).isEqualTo(2);
            }
            assertThat(log.lines()).hasSize(2);
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void f1_decoratedTaskThrows_endsOnlyItsTask() {
        AtomicInteger restored = new AtomicInteger();
        try (Spindle own = Spindles.options()
                .coreThreads(1)
                .maxThreads(1)
                .taskDecorator(task -> () -> {
                    if (restored.incrementAndGet() % 2 == 1) {
                        throw new IllegalStateException("on purpose");
                    }
                    task.run();
                })
                .onFailure((activity, failure) ->
                        told.add(new Told(activity.key(), requireNonNull(activity.task()), failure)))
                .build()) {
            Runnable never = () -> told.add(new Told("ran", "ran", new AssertionError("ran without its context")));
            own.keyed("keys").execute("a", never);
            assertThat(result(own.keyed("keys").submit("a", () -> "second"))).isEqualTo("second");
            Future<?> third = own.keyed("keys").submit("a", never);
            assertThatThrownBy(() -> third.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class);
        }
        assertThat(told).singleElement().satisfies(t -> {
            assertThat(t.key()).isEqualTo("a");
            assertThat(t.failure()).isInstanceOf(IllegalStateException.class);
        });
    }
}
