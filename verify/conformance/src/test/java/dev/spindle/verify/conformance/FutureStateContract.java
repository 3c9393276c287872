// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** {@code state}, {@code resultNow} and {@code exceptionNow}, which {@link Future} has since JDK 19. */
abstract class FutureStateContract extends ServiceContract<ExecutorService> {
    static final List<Throwable> FAILURES = Tasks.failures();

    FutureStateContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    @BeforeEach
    void onlyWhereFuturesHaveAState() {
        Assumptions.assumeTrue(Runtime.version().feature() >= 19, "Future has a state since JDK 19");
    }

    private static @Nullable Object ask(Future<?> future, String method) throws Throwable {
        try {
            return Future.class.getMethod(method).invoke(future);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static void assertState(Future<?> future, String state) throws Throwable {
        assertThat(ask(future, "state")).hasToString(state);
    }

    private static void assertRefuses(Future<?> future, String method) {
        assertThatThrownBy(() -> ask(future, method)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void state_waitingAndRunning_isRunning() throws Throwable {
        List<Gate> places = occupy();
        Gate gate = gate();
        Future<String> future = executor.submit(gate, "result");

        assertState(future, "RUNNING");
        assertRefuses(future, "resultNow");
        assertRefuses(future, "exceptionNow");

        open(places);
        await(gate.entered());
        assertState(future, "RUNNING");
        assertRefuses(future, "resultNow");
        assertRefuses(future, "exceptionNow");
    }

    @Test
    void state_ended_isSuccess() throws Throwable {
        Future<String> future = executor.submit(() -> "result");
        assertThat(result(future)).isEqualTo("result");

        assertState(future, "SUCCESS");
        assertThat(ask(future, "resultNow")).isEqualTo("result");
        assertRefuses(future, "exceptionNow");
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("FAILURES")
    void state_failed_isFailedWithWhatTheTaskThrew(Throwable failure) throws Throwable {
        Future<String> future = executor.submit(Tasks.throwing(failure));
        assertFailed(future, failure);

        assertState(future, "FAILED");
        assertRefuses(future, "resultNow");
        Throwable thrown = requireNonNull((Throwable) ask(future, "exceptionNow"));
        if (has(Trait.CAUSES_ARE_WRAPPED)) {
            assertThat(Tasks.chain(thrown)).contains(failure);
        } else {
            assertThat(thrown).isSameAs(failure);
        }
    }

    @Test
    void state_cancelled_isCancelled() throws Throwable {
        List<Gate> places = occupy();
        Future<String> future = executor.submit(() -> "result");
        future.cancel(false);

        assertState(future, "CANCELLED");
        assertRefuses(future, "resultNow");
        assertRefuses(future, "exceptionNow");
        open(places);
    }
}
