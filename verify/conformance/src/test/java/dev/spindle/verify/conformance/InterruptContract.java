// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interrupts reach the task that they are meant for, and are cleared when the next one begins. */
abstract class InterruptContract extends ServiceContract<ExecutorService> {
    InterruptContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    /** Ends the test unless tasks begin with a clear flag. */
    private void onlyWhereFlagsAreCleared() {
        unless(Trait.INTERRUPTS_LEAK);
    }

    /** Asserts that the next tasks begin with a clear flag on every thread. */
    private void assertNextTasksAreClear() throws Exception {
        List<Future<Boolean>> flags = new ArrayList<>();
        for (int i = 0; i < 2 * concurrency(); i++) {
            flags.add(executor.submit(() -> Thread.currentThread().isInterrupted()));
        }
        for (Future<Boolean> flag : flags) {
            assertThat(result(flag)).isFalse();
        }
    }

    @Test
    void task_leavesItsFlagSet_nextTasksStartClear() throws Exception {
        onlyWhereFlagsAreCleared();
        for (int i = 0; i < 100; i++) {
            Runnable task = () -> Thread.currentThread().interrupt();
            if (i % 2 == 0) {
                executor.execute(task);
            } else {
                Future<?> future = executor.submit(task);
                assertThat((Object) result(future)).isNull();
            }

            assertNextTasksAreClear();
        }
    }

    @Test
    void task_leavesItsFlagSetAndThrows_nextTasksStartClear() throws Exception {
        onlyWhereFlagsAreCleared();
        for (int i = 0; i < 20; i++) {
            IllegalStateException failure = new IllegalStateException("expected");
            Future<?> future = executor.submit(() -> {
                Thread.currentThread().interrupt();
                throw failure;
            });
            assertFailed(future, failure);

            assertNextTasksAreClear();
        }
    }

    @ParameterizedTest(name = "after it started: {0}")
    @ValueSource(booleans = {false, true})
    void cancelTrue_atAnyTime_nextTasksStartClear(boolean started) throws Exception {
        onlyWhereFlagsAreCleared();
        for (int i = 0; i < 300; i++) {
            Gate gate = gate();
            gate.open(); // soon ends
            Future<?> future = executor.submit(gate);
            if (started) {
                await(gate.entered());
            }
            future.cancel(true);

            assertNextTasksAreClear();
        }
    }
}
