// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Every way to submit a task to an {@link ExecutorService}. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the tasks
enum EntryPoint {
    EXECUTE((executor, task) -> executor.execute(task)),
    SUBMIT_RUNNABLE((executor, task) -> executor.submit(task)),
    SUBMIT_RUNNABLE_WITH_RESULT((executor, task) -> executor.submit(task, "result")),
    SUBMIT_CALLABLE((executor, task) -> executor.submit(callable(task))),
    INVOKE_ALL((executor, task) -> executor.invokeAll(List.of(callable(task), callable(task)))),
    INVOKE_ALL_TIMED((executor, task) -> executor.invokeAll(List.of(callable(task), callable(task)), 60, SECONDS)),
    INVOKE_ANY((executor, task) -> executor.invokeAny(List.of(callable(task), callable(task)))),
    INVOKE_ANY_TIMED((executor, task) -> executor.invokeAny(List.of(callable(task), callable(task)), 60, SECONDS));

    @SuppressWarnings("ImmutableEnumChecker") // captures nothing
    private final Way way;

    EntryPoint(Way way) {
        this.way = way;
    }

    void submit(ExecutorService executor, Runnable task) throws Exception {
        way.submit(executor, task);
    }

    private static Callable<Object> callable(Runnable task) {
        return Executors.callable(task, "result");
    }

    @FunctionalInterface
    private interface Way {
        void submit(ExecutorService executor, Runnable task) throws Exception;
    }
}
