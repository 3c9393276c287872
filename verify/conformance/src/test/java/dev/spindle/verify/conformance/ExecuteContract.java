// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** {@link Executor}: each accepted task runs once, whatever other tasks do. */
abstract class ExecuteContract extends Contract<Executor> {
    private static final int PRODUCERS = 4;
    private static final int EACH = 1_000;

    ExecuteContract(Subject<? extends Executor> subject) {
        super(subject);
    }

    @Test
    void execute_null_throwsNullPointerException() {
        assertThatThrownBy(() -> executor.execute(Tasks.unsafeNull())).isInstanceOf(NullPointerException.class);
    }

    @Test
    void execute_manyTasksOfManyThreads_eachRunsOnce() throws Exception {
        AtomicIntegerArray runs = new AtomicIntegerArray(PRODUCERS * EACH);
        CountDownLatch ran = new CountDownLatch(PRODUCERS * EACH);
        List<Caller<Integer>> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int first = p * EACH;
            producers.add(call(() -> {
                for (int i = first; i < first + EACH; i++) {
                    int task = i;
                    executor.execute(() -> {
                        runs.incrementAndGet(task);
                        ran.countDown();
                    });
                }
                return first;
            }));
        }
        for (Caller<Integer> producer : producers) {
            result(producer);
        }

        await(ran);
        for (int i = 0; i < PRODUCERS * EACH; i++) {
            assertThat(runs.get(i)).as("runs of task %s", i).isEqualTo(1);
        }
    }

    @Test
    void execute_asManyTasksAsThereArePlaces_runAtOnce() throws Exception {
        assertThat(occupy()).hasSize(concurrency()).allMatch(Gate::wasEntered);
    }

    /** Each task computes until all run, so the executor must run them at the same time. */
    @Test
    void execute_asManyTasksThatSpinForOneAnotherAsThereArePlaces_allEnd() throws Exception {
        AtomicInteger missing = new AtomicInteger(concurrency());
        CountDownLatch ended = new CountDownLatch(concurrency());
        for (int i = concurrency(); i > 0; i--) {
            executor.execute(() -> {
                missing.decrementAndGet();
                while (missing.get() > 0 && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                ended.countDown();
            });
        }

        await(ended);
        assertThat(missing).hasValue(0);
    }

    @Test
    void execute_tasksThatThrow_othersRun() throws Exception {
        List<Throwable> failures = List.of(
                new IllegalStateException("expected"),
                new AssertionError("expected"),
                new StackOverflowError("expected"));
        CountDownLatch ran = new CountDownLatch(20 * failures.size());
        for (int i = 0; i < 20; i++) {
            for (Throwable failure : failures) {
                executor.execute(Tasks.throwingRunnable(failure));
                executor.execute(ran::countDown);
            }
        }

        await(ran);
        assertThat(occupy()).hasSize(concurrency()); // no place was lost
    }

    @Test
    void execute_byATaskOfItsOwn_runs() throws Exception {
        CountDownLatch ran = new CountDownLatch(200);
        executor.execute(new Runnable() {
            @Override
            public void run() {
                ran.countDown();
                if (ran.getCount() > 0) {
                    executor.execute(this);
                }
            }
        });

        await(ran);
    }

    @Test
    void execute_sameObjectAgain_runsAgain() throws Exception {
        CountDownLatch ran = new CountDownLatch(3);
        Runnable task = ran::countDown;
        for (int i = 0; i < 3; i++) {
            executor.execute(task);
        }

        await(ran);
    }
}
