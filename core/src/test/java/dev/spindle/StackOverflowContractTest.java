// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F5: a call that fails with a StackOverflowError may lose its own task, but no other. */
@Tag("once")
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class StackOverflowContractTest {
    /** The number of stack depths, counted from the end of the stack, at which the call is made. */
    private static final int FRAMES = 250;

    private static final long STACK_BYTES = 256 << 10;
    private static final AtomicInteger RAN = new AtomicInteger();

    /** A method of the public API. */
    @SuppressWarnings("ImmutableEnumChecker") // bodies are lambdas
    enum Call {
        EXECUTE((spindle, i) -> spindle.execute(RAN::incrementAndGet)),
        SUBMIT((spindle, i) -> spindle.submit(RAN::incrementAndGet)),
        SCHEDULE((spindle, i) -> spindle.schedule(RAN::incrementAndGet, i % 3, TimeUnit.MILLISECONDS)),
        SCHEDULE_PERIODIC(
                (spindle, i) -> spindle.scheduleAtFixedRate(RAN::incrementAndGet, 1, 50, TimeUnit.MILLISECONDS)
                        .cancel(i % 2 == 0)),
        KEYED((spindle, i) -> spindle.<Integer>keyed("keys").execute(i % 10, RAN::incrementAndGet)),
        KEYED_SUBMIT((spindle, i) -> spindle.<Integer>keyed("keys").submit(i % 10, RAN::incrementAndGet)),
        COALESCE((spindle, i) -> spindle.<Integer>keyed("keys").coalesce(i % 10, RAN::incrementAndGet)),
        COALESCE_IN_A_SLOT(
                (spindle, i) -> spindle.<Integer>keyed("keys").at(i % 10).coalesceSlot(i % 3, RAN::incrementAndGet)),
        SUBMIT_ASYNC((spindle, i) -> spindle.<Integer>keyed("keys")
                .at(i % 10)
                .submitAsync(() -> CompletableFuture.completedFuture(1), Duration.ofMillis(500))),
        SCHEDULE_KEYED((spindle, i) ->
                spindle.<Integer>keyed("keys").at(i % 10).schedule(RAN::incrementAndGet, 1, TimeUnit.MILLISECONDS)),
        PAUSE((spindle, i) -> {
            spindle.<Integer>keyed("keys").at(i % 10).pause();
            PAUSES[i % 10]++; // makes no call
        }),
        CANCEL_PENDING((spindle, i) -> {
            spindle.<Integer>keyed("keys").execute(i % 10, RAN::incrementAndGet);
            spindle.<Integer>keyed("keys").at(i % 10).cancelPending();
        }),
        QUIESCE((spindle, i) -> spindle.<Integer>keyed("keys").at(i % 10).quiesce()),
        CANCEL((spindle, i) -> spindle.submit(RAN::incrementAndGet).cancel(true)),
        COMPLETE((spindle, i) ->
                spindle.schedule(RAN::incrementAndGet, 1, TimeUnit.MINUTES).cancel(false)),
        LOGICAL_EXECUTOR((spindle, i) -> executor(spindle).execute(RAN::incrementAndGet)),
        LOGICAL_EXECUTOR_SCHEDULE(
                (spindle, i) -> executor(spindle).schedule(RAN::incrementAndGet, 1, TimeUnit.MILLISECONDS)),
        STRAND((spindle, i) -> {
            Strand strand = spindle.strand("s");
            strand.execute(RAN::incrementAndGet);
            strand.shutdown();
        }),
        INVOKE_ANY((spindle, i) -> spindle.invokeAny(List.<Callable<Integer>>of(() -> 1, () -> 2))),
        INVOKE_ALL((spindle, i) -> spindle.invokeAll(List.<Callable<Integer>>of(() -> 1, () -> 2))),
        TIME_LIMIT((spindle, i) -> TimeLimits.set(spindle, Duration.ofMillis(i % 2), RAN::incrementAndGet)
                .cancel()),
        STATISTICS((spindle, i) -> assertThat(spindle.stats().threads()
                        + spindle.waits().size()
                        + spindle.busiest(3).size())
                .isNotNegative());

        private final Body body;

        Call(Body body) {
            this.body = body;
        }

        private static LogicalExecutor executor(Spindle spindle) {
            LogicalExecutor known = EXECUTOR.get();
            if (known == null) {
                known = spindle.executor("e", 2);
                EXECUTOR.set(known);
            }
            return known;
        }
    }

    private static final int[] PAUSES = new int[10];
    private static final AtomicReference<@Nullable LogicalExecutor> EXECUTOR = new AtomicReference<>();

    interface Body {
        void run(Spindle spindle, int i) throws InterruptedException, ExecutionException;
    }

    private final Throwable[] overflows = new Throwable[FRAMES];
    private int left;
    private int overflown;

    @SuppressWarnings("InfiniteRecursion") // intended
    private void dive(Spindle spindle, Body body) {
        try {
            dive(spindle, body);
        } catch (StackOverflowError e) {
            overflows[overflown++ % FRAMES] = e; // makes no call
        }
        if (left > 0) {
            left--;
            try {
                body.run(spindle, left);
            } catch (StackOverflowError | ExecutionException e) {
                overflows[overflown++ % FRAMES] = e; // makes no call
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void overflow(Spindle spindle, Body body) throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            left = FRAMES;
            Thread diver = new Thread(null, () -> dive(spindle, body), "diver", STACK_BYTES);
            diver.start();
            diver.join();
        }
        assertThat(overflown).isPositive();
    }

    private static void resumeAll(Spindle spindle) {
        for (int key = 0; key < 10; key++) {
            for (; PAUSES[key] > 0; PAUSES[key]--) {
                spindle.<Integer>keyed("keys").at(key).resume();
            }
        }
    }

    private static void assertWorks(Spindle spindle) {
        Keyed<Integer> keys = spindle.keyed("keys");
        result(spindle.schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
        for (int i = 0; i < 50; i++) {
            result(spindle.submit(() -> {}));
        }
        for (int key = 0; key < 10; key++) {
            result(keys.submit(key, () -> {}));
            assertThat(result(keys.coalesce(key, () -> {}))).isTrue();
            result(keys.at(key).quiesce());
        }
        result(spindle.executorBuilder("other").build().submit(() -> {}));
        LogicalExecutor used = EXECUTOR.getAndSet(null);
        if (used != null) {
            result(used.submit(() -> {}));
        }
    }

    private void assertEnds(Spindle spindle) throws InterruptedException {
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS))
                .as(() -> "terminated: lanes " + spindle.kernel().table().size()
                        + ", held " + !spindle.pool().lifetime().isFree()
                        + ", " + spindle.stats()
                        + ", overflows in " + overflowsOfTheCall())
                .isTrue();
    }

    /** Returns the innermost frames of the latest overflows, each stack once. */
    private List<String> overflowsOfTheCall() {
        return Arrays.stream(overflows)
                .filter(Objects::nonNull)
                .map(e -> Arrays.stream(e.getStackTrace())
                        .takeWhile(frame -> !frame.getMethodName().equals("dive"))
                        .limit(12)
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .collect(Collectors.joining(" ")))
                .distinct()
                .toList();
    }

    /**
     * Loads the classes of the call before, since loading takes more stack than the call requires, especially with an
     * agent.
     */
    private static void load(Call call) throws InterruptedException, ExecutionException {
        EXECUTOR.set(null);
        Spindle spindle = Spindles.options().coreThreads(1).build();
        call.body.run(spindle, 0);
        resumeAll(spindle);
        assertWorks(spindle);
        spindle.shutdownNow();
        EXECUTOR.set(null);
    }

    @ParameterizedTest
    @EnumSource
    void f5_stackOverflow_losesNothingElse(Call call) throws InterruptedException, ExecutionException {
        load(call);
        Spindle spindle = Spindles.options().coreThreads(2).build();
        result(spindle.submit(() -> {}));
        overflow(spindle, call.body);
        resumeAll(spindle);
        assertWorks(spindle);
        assertEnds(spindle);
    }

    @ParameterizedTest
    @EnumSource
    void f5_stackOverflowInTheFirstCall_losesNothingElse(Call call) throws InterruptedException, ExecutionException {
        load(call);
        Spindle spindle = Spindles.options().coreThreads(1).maxThreads(4).build();
        overflow(spindle, call.body);
        resumeAll(spindle);
        assertWorks(spindle);
        assertEnds(spindle);
    }
}
