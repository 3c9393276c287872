// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code close}, which {@link ExecutorService} has since JDK 19, and Spindle's executors on every JDK. */
abstract class CloseContract extends ServiceContract<ExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();

    CloseContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    @BeforeEach
    void onlyWhereThereIsAClose() {
        Assumptions.assumeTrue(executor instanceof AutoCloseable, "the JDK's executors have close() since JDK 19");
    }

    private void close() throws Exception {
        ((AutoCloseable) executor).close();
    }

    private Caller<String> closer() {
        return call(() -> {
            close();
            return "closed";
        });
    }

    @Test
    void close_runsAllThatWasAcceptedAndWaits() throws Exception {
        List<Gate> places = occupy();
        for (int i = 0; i < 20; i++) {
            executor.execute(runs::incrementAndGet);
        }
        Caller<String> closer = closer();
        until(executor::isShutdown);
        untilWaiting(closer);

        assertThat(closer.outcome().isDone()).isFalse();
        assertStillEnding();
        assertThat(catchThrowable(() -> executor.execute(runs::incrementAndGet)))
                .isInstanceOf(RejectedExecutionException.class);

        open(places);
        assertThat(result(closer)).isEqualTo("closed");
        assertThat(executor.isTerminated()).isTrue();
        assertThat(runs).hasValue(20);
        assertThat(places).noneMatch(Gate::wasInterrupted);
        assertThat(closer.wasFlagged()).isFalse();
    }

    @Test
    void close_neverUsed_terminates() throws Exception {
        close();

        assertThat(executor.isTerminated()).isTrue();
    }

    @ParameterizedTest(name = "now: {0}")
    @ValueSource(booleans = {false, true})
    void close_afterAShutdown_waits(boolean now) throws Exception {
        Gate gate = gate(true);
        executor.execute(gate);
        await(gate.entered());
        if (now) {
            executor.shutdownNow();
        } else {
            executor.shutdown();
        }
        Caller<String> closer = closer();
        untilWaiting(closer);
        assertThat(closer.outcome().isDone()).isFalse();

        if (now) {
            await(gate.interrupted());
        }
        gate.open();

        assertThat(result(closer)).isEqualTo("closed");
        assertThat(executor.isTerminated()).isTrue();
        assertThat(gate.wasInterrupted()).isEqualTo(now);
    }

    @Test
    void close_again_hasNoEffect() throws Exception {
        executor.execute(runs::incrementAndGet);
        close();
        close();
        executor.shutdown();
        assertThat(executor.shutdownNow()).isEmpty();
        close();

        assertTerminates();
        assertThat(runs).hasValue(1);
    }

    @Test
    void close_terminatedAlready_keepsTheFlagOfItsCaller() throws Exception {
        executor.shutdown();
        assertTerminates();
        Caller<String> closer = call(() -> {
            Thread.currentThread().interrupt();
            close();
            return "closed";
        });

        assertThat(result(closer)).isEqualTo("closed");
        assertThat(closer.wasFlagged()).isTrue();
    }

    @Test
    void close_byTwoThreads_bothWait() throws Exception {
        List<Gate> places = occupy();
        List<Caller<String>> closers = List.of(closer(), closer());
        closers.forEach(this::untilWaiting);
        assertThat(closers).noneMatch(closer -> closer.outcome().isDone());

        open(places);

        for (Caller<String> closer : closers) {
            assertThat(result(closer)).isEqualTo("closed");
        }
        assertThat(executor.isTerminated()).isTrue();
    }

    @ParameterizedTest(name = "before the call: {0}")
    @ValueSource(booleans = {false, true})
    void close_interrupted_stopsAllWaitsOnAndKeepsTheFlag(boolean before) throws Exception {
        Gate gate = gate(true);
        for (int i = 0; i < concurrency(); i++) {
            executor.execute(gate);
        }
        await(gate.entered());
        Gate never = gate();
        Future<String> waiting = executor.submit(never, "never");
        Caller<String> closer = call(() -> {
            if (before) {
                Thread.currentThread().interrupt();
            }
            close();
            return "closed";
        });
        until(executor::isShutdown);
        untilWaiting(closer);

        if (!before) {
            closer.interrupt();
        }

        await(gate.interrupted());
        assertThat(closer.outcome().isDone()).isFalse();
        gate.open();
        assertThat(result(closer)).isEqualTo("closed");
        assertThat(closer.wasFlagged()).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(never.wasEntered()).isFalse();
        assertThat(waiting.isDone()).isEqualTo(!has(Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN));
    }

    @Test
    void close_byATaskOfItsOwn_isRefused() throws Exception {
        unless(Trait.CLOSE_BY_AN_OWN_TASK_HANGS);
        Future<Throwable> thrown = executor.submit(() -> catchThrowable(this::close));

        assertThat(result(thrown)).isInstanceOf(IllegalStateException.class);
        assertThat(executor.isShutdown()).isFalse();
        assertThat(result(executor.submit(() -> "open"))).isEqualTo("open");
    }
}
