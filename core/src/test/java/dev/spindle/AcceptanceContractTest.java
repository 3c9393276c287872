// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F3: every submit has exactly one outcome, and a rejection names its reason. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the tests check whether the submit throws
class AcceptanceContractTest {
    private static final Duration SOON = Duration.ofMillis(1);

    /** Every kind of submit. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Entry {
        EXECUTE((s, r) -> s.execute(r)),
        EXECUTE_SEQUENTIAL((s, r) -> s.execute(sequential(r))),
        EXECUTE_COALESCING((s, r) -> s.execute(coalescing(r))),
        SUBMIT((s, r) -> s.submit(r)),
        SUBMIT_RESULT((s, r) -> s.submit(r, "result")),
        SUBMIT_CALLABLE((s, r) -> s.submit(() -> {
            r.run();
            return 1;
        })),
        SUBMIT_SEQUENTIAL((s, r) -> s.submit(sequential(r))),
        SUBMIT_COALESCING((s, r) -> s.submit(coalescing(r))),
        SCHEDULE((s, r) -> s.schedule(r, 1, TimeUnit.MILLISECONDS)),
        SCHEDULE_SEQUENTIAL((s, r) -> s.schedule(sequential(r), 1, TimeUnit.MILLISECONDS)),
        FIXED_RATE((s, r) -> s.scheduleAtFixedRate(r, 1, 1000, TimeUnit.MILLISECONDS)),
        FIXED_DELAY((s, r) -> s.scheduleWithFixedDelay(r, 1, 1000, TimeUnit.MILLISECONDS)),
        KEYED((s, r) -> s.keyed("tasks").execute("key", r)),
        KEYED_SUBMIT((s, r) -> s.keyed("tasks").submit("key", r)),
        KEYED_COALESCE((s, r) -> s.keyed("tasks").coalesce("key", r)),
        KEYED_SLOT((s, r) -> s.keyed("tasks").at("key").coalesceSlot("slot", r)),
        KEYED_ASYNC((s, r) -> s.keyed("tasks").submitAsync("key", () -> {
            r.run();
            return CompletableFuture.completedFuture(1);
        })),
        KEYED_SCHEDULE((s, r) -> s.keyed("tasks").at("key").schedule(r, SOON.toNanos(), TimeUnit.NANOSECONDS)),
        HANDLE((s, r) -> s.keyed("tasks").at("key").execute(r)),
        HANDLE_COALESCE((s, r) -> s.keyed("tasks").at("key").coalesce(r)),
        STRAND((s, r) -> s.strand("strand").execute(r)),
        STRAND_SUBMIT((s, r) -> s.strand("strand").submit(r)),
        STRAND_SCHEDULE((s, r) -> s.strand("strand").schedule(r, SOON.toNanos(), TimeUnit.NANOSECONDS));

        final BiConsumer<Spindle, Runnable> submit;

        Entry(BiConsumer<Spindle, Runnable> submit) {
            this.submit = submit;
        }

        private static SequentialTask sequential(Runnable body) {
            return new SequentialTask() {
                @Override
                public Object key() {
                    return "key";
                }

                @Override
                public void run() {
                    body.run();
                }
            };
        }

        private static CoalescingTask coalescing(Runnable body) {
            return new CoalescingTask() {
                @Override
                public Object key() {
                    return "key";
                }

                @Override
                public void run() {
                    body.run();
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void f3_accepted_runsOnce(Entry entry) throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        Spindle spindle = Spindles.options().coreThreads(2).build();
        CompletableFuture<@Nullable Void> first = new CompletableFuture<>();
        entry.submit.accept(spindle, () -> {
            ran.incrementAndGet();
            first.complete(null);
        });
        result(first);
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(1);
        assertThat(spindle.stats().rejected()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void f3_afterShutdown_rejectedWithNameAndStateAndNeverRuns(Entry entry) throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        Spindle spindle = Spindles.options().name("payments").coreThreads(1).build();
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        spindle.shutdown();
        assertThatThrownBy(() -> entry.submit.accept(spindle, ran::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("payments")
                .hasMessageContaining("shut down");
        gate.open();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> entry.submit.accept(spindle, ran::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("payments")
                .hasMessageContaining("terminated");
        assertThat(ran).hasValue(0);
        assertThat(spindle.stats().rejected()).isEqualTo(2);
        assertThat(spindle.stats().keys()).isZero();
        assertThat(spindle.isTerminated()).isTrue();
    }

    @Test
    void f3_strandShutDown_rejectionNamesStrandAndOthersAreServed() {
        try (Spindle spindle =
                Spindles.options().name("payments").coreThreads(1).build()) {
            Strand strand = spindle.strand("ledger");
            strand.shutdown();
            List<Runnable> submits = List.of(
                    () -> strand.execute(() -> {}),
                    () -> strand.submit(() -> {}),
                    () -> strand.coalesce(() -> {}),
                    () -> strand.schedule(() -> {}, SOON.toNanos(), TimeUnit.NANOSECONDS),
                    () -> strand.submitAsync(() -> CompletableFuture.completedFuture(1)));
            for (Runnable submit : submits) {
                assertThatThrownBy(submit::run)
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("ledger")
                        .hasMessageContaining("payments")
                        .hasMessageContaining("shut down");
            }
            assertThat(result(spindle.strand("ledger").submit(() -> 1))).isEqualTo(1);
            assertThat(result(spindle.submit(() -> 2))).isEqualTo(2);
        }
    }

    @Test
    void f3_rejectionOfAKey_namesTheKey() {
        Spindle spindle = Spindles.options().coreThreads(1).build();
        spindle.close();
        assertThatThrownBy(() -> spindle.keyed("tasks").execute("account 17", () -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("account 17");
    }

    @Test
    void f3_invokeAllAfterShutdown_rejected() {
        Spindle spindle = Spindles.options().coreThreads(1).build();
        spindle.close();
        assertThatThrownBy(() -> spindle.invokeAll(List.of(() -> 1))).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> spindle.invokeAny(List.of(() -> 1))).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void f3_coalescingSubmits_eachEndsInExactlyOneState() throws InterruptedException {
        int producers = 3;
        int each = 5_000;
        Map<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();
        List<CompletableFuture<Boolean>> handles = new ArrayList<>();
        AtomicInteger ran = new AtomicInteger();
        Spindle spindle = Spindles.options().coreThreads(2).build();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int producer = p;
            Thread thread = new Thread(() -> {
                List<CompletableFuture<Boolean>> own = new ArrayList<>();
                for (int i = 0; i < each; i++) {
                    int number = producer * each + i;
                    own.add(spindle.<Integer>keyed("tasks").coalesce(i & 3, () -> {
                        runs.computeIfAbsent(number, n -> new AtomicInteger()).incrementAndGet();
                        ran.incrementAndGet();
                    }));
                    if (i % 100 == 99) {
                        own.get(i - 3).cancel(false);
                    }
                }
                synchronized (handles) {
                    handles.addAll(own);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        spindle.close();

        assertThat(handles).hasSize(producers * each).allMatch(CompletableFuture::isDone);
        long cancelledWhileRunning = ran.get()
                - handles.stream().filter(h -> !h.isCancelled() && h.join()).count();
        assertThat(cancelledWhileRunning)
                .isBetween(
                        0L,
                        handles.stream().filter(CompletableFuture::isCancelled).count());
        assertThat(runs.values()).allSatisfy(n -> assertThat(n).hasValue(1));
    }

    @Test
    void invokeAny_withoutAGoodResult_saysWhy() {
        Exception failure = new IOException("expected");
        CompletionException wrapped = new CompletionException(failure);
        List<Callable<String>> failing = List.of(() -> {
            throw failure;
        });
        List<Callable<String>> wrapping = List.of(() -> {
            throw wrapped;
        });

        try (Spindle spindle = Spindle.create()) {
            assertThatThrownBy(() -> spindle.invokeAny(List.<Callable<String>>of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("tasks is empty");
            assertThatThrownBy(() -> spindle.invokeAny(failing)).hasRootCause(failure);
            assertThatThrownBy(() -> spindle.invokeAny(wrapping)).hasRootCause(failure);
        }
    }
}
