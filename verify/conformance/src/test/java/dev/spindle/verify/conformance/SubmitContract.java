// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** {@code submit}: the results and failures of tasks, and the submitter's writes that they see. */
@SuppressWarnings("FutureReturnValueIgnored") // calls that must throw
abstract class SubmitContract extends ServiceContract<ExecutorService> {
    static final List<Throwable> FAILURES = Tasks.failures();

    SubmitContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    @Test
    void submit_null_throwsNullPointerException() {
        assertThatThrownBy(() -> executor.submit(Tasks.<Runnable>unsafeNull()))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.submit(Tasks.<Callable<String>>unsafeNull()))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.submit(Tasks.<Runnable>unsafeNull(), "result"))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void submit_callable_givesWhatItReturns() throws Exception {
        Object value = new Object();
        Callable<Object> task = () -> value;
        Callable<@Nullable Object> nothing = () -> null;

        assertThat(result(executor.submit(task))).isSameAs(value);
        assertThat(result(executor.submit(nothing))).isNull();
    }

    @Test
    void submit_runnable_givesNull() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Runnable task = runs::incrementAndGet;
        Future<?> future = executor.submit(task);

        assertThat((Object) result(future)).isNull();
        assertThat(runs).hasValue(1);
    }

    @Test
    void submit_runnableWithResult_givesTheResult() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Object value = new Object();
        Future<Object> future = executor.submit(runs::incrementAndGet, value);

        assertThat(result(future)).isSameAs(value);
        assertThat(result(executor.<@Nullable Object>submit(runs::incrementAndGet, null)))
                .isNull();
        assertThat(runs).hasValue(2);
    }

    @Test
    void submit_manyTasks_givesEachItsOwnResult() throws Exception {
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int value = i;
            futures.add(executor.submit(() -> value));
        }

        for (int i = 0; i < 1_000; i++) {
            assertThat(result(futures.get(i))).isEqualTo(i);
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("FAILURES")
    void submit_taskThatThrows_isReportedByGetAndEndsNothingElse(Throwable failure) throws Exception {
        Future<String> future = executor.submit(Tasks.throwing(failure));

        assertFailed(future, failure);
        assertThat(result(executor.submit(() -> "next"))).isEqualTo("next");
    }

    @Test
    void submit_runnableThatThrows_isReportedByGet() {
        RuntimeException failure = new IllegalStateException("expected");

        assertFailed(executor.submit(Tasks.throwingRunnable(failure)), failure);
        assertFailed(executor.submit(Tasks.throwingRunnable(failure), "result"), failure);
    }

    @Test
    void submit_tasksThatThrow_costNoPlace() throws Exception {
        for (int i = 0; i < 50; i++) {
            AssertionError failure = new AssertionError("expected");
            assertFailed(executor.submit(Tasks.throwing(failure)), failure);
        }

        assertThat(occupy()).hasSize(concurrency());
    }

    @Test
    void submit_byAnInterruptedThread_isAcceptedAndKeepsTheFlagThere() throws Exception {
        Caller<Future<Boolean>> caller = call(() -> {
            Thread.currentThread().interrupt();
            return executor.submit(() -> Thread.currentThread().isInterrupted());
        });

        assertThat(result(result(caller))).as("flag of the task").isFalse();
        assertThat(caller.wasFlagged()).as("flag of the submitter").isTrue();
    }

    // ---------------------------------------------------------------- memory consistency effects

    @Test
    void submit_plainWrites_areSeenByTheTaskAndItsAreSeenAfterGet() throws Exception {
        for (int i = 1; i <= 2_000; i++) {
            Box box = new Box();
            int value = i;
            box.value = value;
            Future<Integer> seen = executor.submit(() -> {
                int before = box.value;
                box.value = -value;
                return before;
            });

            assertThat(result(seen)).isEqualTo(value);
            assertThat(box.value).isEqualTo(-value);
        }
    }

    @Test
    void submit_plainWritesOfManyTasks_areSeenAfterTheirGets() throws Exception {
        for (int round = 0; round < 20; round++) {
            List<Box> boxes = new ArrayList<>();
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Box box = new Box();
                boxes.add(box);
                Runnable task = () -> box.value = 1;
                futures.add(executor.submit(task));
            }

            for (int i = futures.size() - 1; i >= 0; i--) {
                assertThat((Object) result(futures.get(i))).isNull();
                assertThat(boxes.get(i).value).isEqualTo(1);
            }
        }
    }

    /** A plain field: the executor orders the accesses. */
    private static final class Box {
        private int value;
    }
}
