// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A4: user code that runs on a worker between tasks begins with a clear interrupt flag, even if a task has left it set.
 */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the callbacks record what they see
class LeftInterruptContractTest {

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final CompletableFuture<Boolean> seen = new CompletableFuture<>();
    private final Gate gate = new Gate();

    private Spindle occupied(SpindleBuilder builder) {
        Spindle spindle = spindles.of(builder.name("left").coreThreads(1).maxThreads(1));
        spindle.execute(gate);
        gate.awaitEntered();
        return spindle;
    }

    private static void leaveInterrupt() {
        Thread.currentThread().interrupt();
    }

    private void look() {
        seen.complete(Thread.currentThread().isInterrupted());
    }

    private void assertClear() {
        gate.open();
        assertThat(result(seen)).isFalse();
    }

    @Test
    void a4_callbackOfTheFutureOfATask_beginsWithoutItsInterrupt() {
        Spindle spindle = occupied(spindles.builder());
        ((CompletionStage<?>) spindle.keyed("keys").submit("key", LeftInterruptContractTest::leaveInterrupt))
                .whenComplete((value, failure) -> look());
        assertClear();
    }

    @Test
    void a4_callbackOfTheFutureOfATaskThatFails_beginsWithoutItsInterrupt() {
        Spindle spindle = occupied(spindles.builder());
        ((CompletionStage<?>) spindle.keyed("keys").submit("key", () -> {
                    leaveInterrupt();
                    throw new IllegalStateException("on purpose");
                }))
                .whenComplete((value, failure) -> look());
        assertClear();
    }

    @Test
    void a4_callbackOfAnAsyncTask_beginsWithoutItsInterrupt() {
        Spindle spindle = occupied(spindles.builder());
        spindle.keyed("keys")
                .at("key")
                .submitAsync(() -> {
                    leaveInterrupt();
                    return CompletableFuture.completedFuture("value");
                })
                .whenComplete((value, failure) -> look());
        assertClear();
    }

    @Test
    void a4_callbackOfQuiesce_beginsWithoutTheInterruptOfTheTaskBefore() {
        Spindle spindle = occupied(spindles.builder());
        spindle.keyed("keys").execute("key", LeftInterruptContractTest::leaveInterrupt);
        spindle.keyed("keys").at("key").quiesce().whenComplete((value, failure) -> look());
        assertClear();
    }

    @Test
    void f2_taskAfterACallbackThatLeavesAnInterrupt_beginsWithoutIt() {
        Spindle spindle = occupied(spindles.builder());
        spindle.keyed("keys").execute("key", () -> {});
        spindle.keyed("keys").at("key").quiesce().whenComplete((value, failure) -> leaveInterrupt());
        spindle.keyed("keys").execute("key", this::look);
        assertClear();
    }

    @Test
    void a4_callbackOfTheOutcomeOfACoalescingTask_beginsWithoutItsInterrupt() {
        Spindle spindle = occupied(spindles.builder());
        spindle.keyed("keys")
                .coalesce("key", LeftInterruptContractTest::leaveInterrupt)
                .whenComplete((state, failure) -> look());
        assertClear();
    }

    @Test
    void a4_failureHandler_beginsWithoutTheInterruptOfTheTask() {
        Spindle spindle = occupied(Spindles.options().onFailure((activity, failure) -> look()));
        spindle.execute(() -> {
            leaveInterrupt();
            throw new IllegalStateException("on purpose");
        });
        assertClear();
    }

    @Test
    void a4_endOfTheContext_beginsWithoutTheInterruptOfTheTask() {
        Spindle spindle = occupied(spindles.builder().taskDecorator(new TestDecorator() {
            @Override
            public @Nullable Object capture() {
                return gate.isOpen() ? null : "context";
            }

            @Override
            public Runnable restore(@Nullable Object captured) {
                return () -> {
                    if (Thread.currentThread().isInterrupted()) {
                        seen.complete(true);
                    }
                };
            }
        }));
        spindle.execute(LeftInterruptContractTest::leaveInterrupt);
        spindle.execute(this::look);
        assertClear();
    }

    /** The key is looked up on the worker when the task is due. */
    @Test
    void a4_codeOfAKeyOfADelayedTask_beginsWithoutTheInterruptOfTheTaskBefore() {
        Spindle spindle = occupied(spindles.builder());
        Object key = new Object() {
            @Override
            public int hashCode() {
                if (Thread.currentThread().getName().startsWith("left-")) {
                    look();
                }
                return 1;
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return this == other;
            }
        };
        for (int i = 0; i < 10; i++) {
            spindle.execute(LeftInterruptContractTest::leaveInterrupt);
        }
        spindle.keyed("keys").at(key).schedule(() -> {}, 0, TimeUnit.NANOSECONDS);
        gate.open();
        assertThat(result(seen)).isFalse();
    }

    @Test
    void a4_callbackOfQuiesceAfterOneThatLeavesAnInterrupt_beginsWithoutIt() {
        Spindle spindle = occupied(spindles.builder());
        spindle.keyed("keys").execute("key", () -> {});
        spindle.keyed("keys").at("key").quiesce().whenComplete((value, failure) -> leaveInterrupt());
        spindle.keyed("keys").at("key").quiesce().whenComplete((value, failure) -> look());
        assertClear();
    }

    /** The only worker completes both futures, one after the other. */
    @Test
    void a4_callbackOfATermination_beginsWithoutTheInterruptOfAnother() {
        Spindle spindle = occupied(spindles.builder());
        List<CompletableFuture<Boolean>> interrupted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Strand strand = spindle.strand("s");
            strand.execute(() -> {});
            CompletableFuture<Boolean> flag = new CompletableFuture<>();
            interrupted.add(flag);
            strand.shutdown();
            strand.terminated().whenComplete((nothing, failure) -> {
                flag.complete(Thread.currentThread().isInterrupted());
                leaveInterrupt();
            });
        }
        gate.open();
        interrupted.forEach(flag -> assertThat(result(flag)).isFalse());
    }

    @Test
    void a4_codeOfAKeyOfADelayedTask_beginsWithoutTheInterruptOfAnotherKey() {
        Spindle spindle = occupied(spindles.builder());
        record Key(int number, CompletableFuture<Boolean> interrupted) {
            @Override
            public int hashCode() {
                if (Thread.currentThread().getName().startsWith("left-")) {
                    interrupted.complete(Thread.currentThread().isInterrupted()); // in the first call
                    leaveInterrupt();
                }
                return number;
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return this == other;
            }
        }
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Key key = new Key(i, new CompletableFuture<>());
            keys.add(key);
            spindle.keyed("keys").at(key).schedule(() -> {}, 0, TimeUnit.NANOSECONDS);
        }
        gate.open();
        keys.forEach(key -> assertThat(result(key.interrupted)).isFalse());
    }
}
