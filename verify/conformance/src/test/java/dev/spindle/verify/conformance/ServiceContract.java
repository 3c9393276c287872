// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/** A contract of executors that can be shut down and return futures. */
abstract class ServiceContract<E extends ExecutorService> extends Contract<E> {
    ServiceContract(Subject<? extends E> subject) {
        super(subject);
    }

    final void assertTerminates() throws InterruptedException {
        assertTerminates(executor);
    }

    final void assertTerminates(ExecutorService ended) throws InterruptedException {
        assertThat(ended.awaitTermination(timeout(), NANOSECONDS))
                .as("%s terminates in time", ended)
                .isTrue();
        assertThat(ended.isTerminated()).isTrue();
        assertThat(ended.isShutdown()).isTrue();
    }

    /** Asserts that the executor has been shut down, and has not terminated. */
    final void assertStillEnding() throws InterruptedException {
        assertThat(executor.isShutdown()).isTrue();
        assertThat(executor.isTerminated()).isFalse();
        assertThat(executor.awaitTermination(0, SECONDS)).isFalse();
        assertThat(executor.awaitTermination(-1, SECONDS)).isFalse();
        assertThat(executor.awaitTermination(1, MILLISECONDS)).isFalse();
    }

    static void assertPending(Future<?> future) {
        assertThat(future.isDone()).isFalse();
        assertThat(future.isCancelled()).isFalse();
        assertThatThrownBy(() -> future.get(1, MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> future.get(0, SECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> future.get(-1, SECONDS)).isInstanceOf(TimeoutException.class);
    }

    static void assertCancelled(Future<?> future) {
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> future.get(1, SECONDS)).isInstanceOf(CancellationException.class);
    }

    /** Asserts that the future's task has thrown {@code thrown}. */
    final void assertFailed(Future<?> future, Throwable thrown) {
        assertFailure(catchThrowable(() -> result(future)), thrown);
        assertFailure(catchThrowable(future::get), thrown);
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
    }

    /** Asserts that a call reported the failure of a task that has thrown {@code thrown}. */
    final void assertFailure(Throwable reported, Throwable thrown) {
        assertThat(reported).isInstanceOf(ExecutionException.class);
        if (has(Trait.CAUSES_ARE_WRAPPED)) {
            assertThat(Tasks.chain(reported)).contains(thrown);
        } else {
            assertThat(reported.getCause()).isSameAs(thrown);
        }
    }
}
