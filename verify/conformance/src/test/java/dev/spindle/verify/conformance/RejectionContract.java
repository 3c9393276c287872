// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After a shutdown every submit throws {@link RejectedExecutionException}, and the task never runs. */
abstract class RejectionContract extends ServiceContract<ExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();

    RejectionContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    private void assertRejects(EntryPoint way) {
        assertThatThrownBy(() -> way.submit(executor, runs::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @ParameterizedTest
    @EnumSource
    void submit_neverUsedAndShutDown_isRejected(EntryPoint way) throws Exception {
        executor.shutdown();

        assertRejects(way);
        assertTerminates();
        assertRejects(way);
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void submit_shutDownWhileATaskRuns_isRejected(EntryPoint way) throws Exception {
        Gate gate = gate();
        executor.execute(gate);
        await(gate.entered());
        executor.shutdown();

        assertRejects(way);
        gate.open();
        assertTerminates();
        assertRejects(way);
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void submit_afterShutdownNow_isRejected(EntryPoint way) throws Exception {
        Gate gate = gate(true);
        executor.execute(gate);
        await(gate.entered());
        executor.shutdownNow();

        assertRejects(way);
        gate.open();
        assertTerminates();
        assertRejects(way);
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void submit_byAnOwnTaskAfterShutdown_isRejected(EntryPoint way) throws Exception {
        unless(Trait.OWN_TASKS_SUBMIT_AFTER_SHUTDOWN);
        Future<Throwable> thrown = executor.submit(() -> {
            executor.shutdown();
            return catchThrowable(() -> way.submit(executor, runs::incrementAndGet));
        });

        assertThat(result(thrown)).isInstanceOf(RejectedExecutionException.class);
        assertTerminates();
        assertThat(runs).hasValue(0);
    }
}
