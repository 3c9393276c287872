// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** M2: a context is carried from the submitter to the turn. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class ContextContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final Hook hook = new Hook();
    private final List<@Nullable String> seen = Collections.synchronizedList(new ArrayList<>());

    private Spindle spindle() {
        return spindles.of(spindles.builder().taskDecorator(hook));
    }

    private void see() {
        seen.add(hook.current.get());
    }

    @AfterEach
    void everyScopeIsClosed() {
        hook.current.remove();
        until(() -> hook.open.get() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void m2_everyEntryPoint_carriesTheContextOfTheSubmit(EntryPoint entry) throws Exception {
        Spindle spindle = spindle();
        hook.current.set("of the submitter");

        entry.submit(spindle, "key", this::see);
        hook.current.set("later");
        until(() -> seen.size() == 1);

        assertThat(seen).containsExactly("of the submitter");
        assertThat(hook.captures).hasValue(1);
        until(() -> hook.closes.get() == 1);
        assertThat(hook.restores).hasValue(1);
    }

    @Test
    void m2_plainTasks_carryTheContextToo() {
        Spindle spindle = spindle();
        hook.current.set("one");
        result(spindle.submit(this::see));
        hook.current.set("two");
        result(spindle.schedule(this::see, 1, TimeUnit.MILLISECONDS));
        hook.current.remove();
        result(spindle.submit(this::see));

        assertThat(seen).containsExactly("one", "two", null);
    }

    @Test
    void m2_afterTheTask_whatWasInForceBeforeIsBack() {
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(1).maxThreads(1).taskDecorator(hook));
        hook.current.set("of the submitter");
        CompletableFuture<Thread> first = spindle.submit(Thread::currentThread);
        RuntimeException failure = new IllegalStateException("expected");
        spindle.execute(() -> {
            throw failure;
        });
        hook.current.remove();

        Thread second = result(spindle.submit(() -> {
            see();
            return Thread.currentThread();
        }));

        assertThat(second).isSameAs(result(first));
        assertThat(seen).containsOnlyNulls();
        assertThat(spindles.takeFailures()).containsExactly(failure);
        until(() -> hook.closes.get() == 3);
    }

    @Test
    void m2_newestSubmit_winsInCoalescing() {
        Lane lane = spindle().keyed("tasks").at("key");
        lane.pause();
        hook.current.set("older");
        lane.coalesce(this::see);
        lane.coalesceSlot("slot", this::see);
        hook.current.set("newest");
        lane.coalesce(this::see);
        lane.coalesceSlot("slot", this::see);
        hook.current.set("of the resumer");
        lane.resume();

        result(lane.quiesce());
        assertThat(seen).containsExactly("newest", "newest");
        assertThat(hook.restores).hasValue(2);
    }

    @Test
    void m2_newestSubmit_winsInCoalescingWithAFuture() {
        Spindle spindle = spindle();
        spindle.keyed("tasks").at("key").pause();
        hook.current.set("older");
        spindle.submit(new EntryPoint.Coalescing(() -> "key", this::see));
        hook.current.set("newest");
        CompletableFuture<?> newest = spindle.submit(new EntryPoint.Coalescing(() -> "key", this::see));
        spindle.keyed("tasks").at("key").resume();

        result(newest);
        assertThat(seen).containsExactly("newest");
    }

    @Test
    void m2_periodicTask_hasTheContextOfItsScheduleInEachRun() {
        Spindle spindle = spindle();
        hook.current.set("of the schedule");
        ScheduledFuture<?> future =
                spindle.keyed("tasks").at("key").scheduleAtFixedRate(this::see, 0, 1, TimeUnit.MILLISECONDS);
        hook.current.set("later");
        until(() -> seen.size() >= 3);
        future.cancel(false);
        result(spindle.keyed("tasks").at("key").quiesce());

        assertThat(seen).containsOnly("of the schedule");
        assertThat(hook.captures.get()).isEqualTo(1);
    }

    @Test
    void m2_asyncTask_hasTheContextWhileItStartsAndNotAfter() {
        Spindle spindle = spindle();
        CompletableFuture<String> stage = new CompletableFuture<>();
        hook.current.set("of the submitter");
        CompletableFuture<String> future = spindle.<Object>keyed("tasks").submitAsync("key", () -> {
            see();
            return stage;
        });
        until(() -> hook.closes.get() == 1); // although the stage is still open

        assertThat(seen).containsExactly("of the submitter");
        stage.complete("done");
        result(future);
    }

    @Test
    void m2_submitFromInsideATask_carriesTheContextOfThatTask() {
        Lane lane = spindle().keyed("tasks").at("key");
        hook.current.set("outer");
        CompletableFuture<CompletableFuture<?>> inner = lane.submit(() -> lane.submit(this::see));
        hook.current.set("later");

        result(result(inner));
        assertThat(seen).containsExactly("outer");
    }

    @Test
    void m2_otherTasksOfTheLane_seeTheirOwnContexts() {
        Lane lane = spindle().keyed("tasks").at("key");
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            hook.current.set("context " + i);
            expected.add("context " + i);
            lane.execute(this::see);
        }
        result(lane.quiesce());

        assertThat(seen).containsExactlyElementsOf(expected);
    }

    @ParameterizedTest
    @EnumSource
    void m2_captureThatThrows_reachesTheSubmitterWithNothingEnqueued(EntryPoint entry) throws Exception {
        Spindle spindle = spindle();
        RuntimeException failure = new IllegalStateException("capture");
        hook.inCapture = failure;

        assertThatThrownBy(() -> entry.submit(spindle, "key", this::see)).isSameAs(failure);

        hook.inCapture = null;
        result(spindle.submit(() -> {}));
        spindle.shutdown();
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).isEmpty();
    }

    @Test
    void m2_restoreThatThrows_isAFailureOfTheTaskWhichDoesNotRun() {
        Keyed<String> keys = spindle().keyed("tasks");
        RuntimeException failure = new IllegalStateException("restore");
        keys.at("key").pause();
        keys.execute("key", this::see);
        CompletableFuture<Boolean> coalesced = keys.coalesce("key", this::see);
        CompletableFuture<?> submitted = keys.submit("key", this::see);
        hook.inRestore = failure;
        keys.at("key").resume();

        assertThatThrownBy(() -> result(submitted)).cause().isSameAs(failure);
        assertThat(coalesced).isCompletedExceptionally();
        assertThat(spindles.takeFailures()).containsExactly(failure, failure);
        hook.inRestore = null;
        assertThat(result(keys.submit("key", () -> "next"))).isEqualTo("next");
        assertThat(seen).isEmpty();
    }

    @Test
    void m2_withdrawnTasks_areTheUsersOwnObjects() {
        Keyed<String> keys = spindle().keyed("tasks");
        Runnable executed = this::see;
        Runnable coalesced = this::see;
        keys.at("key").pause();
        keys.execute("key", executed);
        CompletableFuture<String> future = keys.submit("key", () -> "x");
        keys.coalesce("key", coalesced);

        List<Runnable> withdrawn = keys.at("key").cancelPending();

        assertThat(withdrawn).hasSize(3);
        assertThat(withdrawn.get(0)).isSameAs(executed);
        assertThat(withdrawn.get(1)).isSameAs(future);
        assertThat(withdrawn.get(2)).isSameAs(coalesced);
        keys.at("key").resume();
    }

    @ParameterizedTest
    @EnumSource
    void m2_runnableThatDoesNotRunItsTask_isAFailureOfTheTask(EntryPoint entry) throws Exception {
        Spindle spindle = spindles.of(spindles.builder().taskDecorator(task -> () -> {}));
        CompletableFuture<?> submitted = spindle.submit(this::see);

        try {
            entry.submit(spindle, "key", this::see);
        } catch (ExecutionException e) { // thrown by invokeAny
            assertThat(e).hasCauseInstanceOf(IllegalStateException.class);
        }

        assertThatThrownBy(() -> result(submitted)).hasRootCauseInstanceOf(IllegalStateException.class);
        spindle.shutdown();
        assertThat(spindle.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        assertThat(spindles.takeFailures())
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("must call run()"));
        assertThat(seen).isEmpty();
    }

    @Test
    void m2_runnableThatRunsItsTaskTwice_orElsewhere_runsItOnce() {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Spindle twice = spindles.of(spindles.builder()
                .onFailure((activity, failure) -> failures.add(failure))
                .taskDecorator(task -> () -> {
                    task.run();
                    task.run();
                }));
        twice.execute(this::see);
        until(() -> failures.size() == 1);
        assertThat(seen).hasSize(1);

        Spindle elsewhere = spindles.of(spindles.builder()
                .onFailure((activity, failure) -> failures.add(failure))
                .taskDecorator(task -> () -> {
                    Thread thread = new Thread(task);
                    thread.setUncaughtExceptionHandler((t, e) -> {});
                    thread.start();
                }));
        elsewhere.execute(this::see);
        until(() -> failures.size() == 2);
        assertThat(seen).hasSize(1);
        assertThat(failures).hasOnlyElementsOfType(IllegalStateException.class);
    }

    @Test
    void m2_decoratorThatReturnsNull_reachesTheSubmitter() {
        Spindle spindle = spindles.of(spindles.builder().taskDecorator(task -> TestSupport.<Runnable>unsafeNull()));

        assertThatThrownBy(() -> spindle.execute(this::see))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("returned null");
        assertThat(spindle.stats().accepted()).isZero();
    }

    @Test
    void m2_failureHandler_runsInTheContextOfTheTask() {
        List<@Nullable String> told = Collections.synchronizedList(new ArrayList<>());
        Spindle spindle = spindles.of(
                spindles.builder().taskDecorator(hook).onFailure((activity, failure) -> told.add(hook.current.get())));
        Runnable failing = () -> {
            throw new IllegalStateException("failed");
        };
        hook.current.set("of the submitter");
        spindle.execute(failing);
        spindle.keyed("keys").execute("a", failing);
        spindle.keyed("keys").coalesce("a", failing);
        spindle.executor("e", 1).execute(failing);
        spindle.strand("s").execute(failing);
        hook.current.remove();

        until(() -> told.size() == 5);
        assertThat(told).containsOnly("of the submitter");
    }

    @Test
    void m2_throwableOfATask_doesNotReachTheRunnable() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Spindle spindle = spindles.of(spindles.builder()
                .taskDecorator(task -> () -> {
                    order.add("before");
                    task.run();
                    order.add("after");
                })
                .onFailure((activity, failure) -> order.add(activity.owner() + " " + failure.getMessage())));
        Runnable failing = () -> {
            throw new IllegalStateException("failed");
        };

        spindle.keyed("keys").execute("a", failing);
        until(() -> order.size() == 3);
        spindle.keyed("keys").coalesce("a", failing);
        until(() -> order.size() == 6);
        spindle.execute(failing);
        until(() -> order.size() == 9);

        String key = order.get(1);
        assertThat(key).contains("a").endsWith(" failed");
        assertThat(order.subList(0, 6)).containsExactly("before", key, "after", "before", key, "after");
        assertThat(order.get(7)).startsWith("spindle ");
        assertThat(spindle.stats().failed()).isEqualTo(3);
    }

    /** A decorator that carries the value of a thread-local and counts calls. */
    private static final class Hook implements TestDecorator {
        final ThreadLocal<@Nullable String> current = new ThreadLocal<>();
        final AtomicInteger captures = new AtomicInteger();
        final AtomicInteger restores = new AtomicInteger();
        final AtomicInteger closes = new AtomicInteger();
        final AtomicInteger open = new AtomicInteger();
        volatile @Nullable RuntimeException inCapture;
        volatile @Nullable RuntimeException inRestore;

        @Override
        public @Nullable Object capture() {
            RuntimeException failure = inCapture;
            if (failure != null) {
                throw failure;
            }
            captures.incrementAndGet();
            return current.get();
        }

        @Override
        public Runnable restore(@Nullable Object captured) {
            RuntimeException failure = inRestore;
            if (failure != null) {
                throw failure;
            }
            restores.incrementAndGet();
            open.incrementAndGet();
            String before = current.get();
            current.set((String) captured);
            return () -> {
                current.set(before);
                open.decrementAndGet();
                closes.incrementAndGet();
            };
        }
    }
}
