// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The lane of a key as an executor of the JDK. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class KeyLaneTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final Spindle spindle = spindles.of(spindles.builder().coreThreads(2));
    private final Lane lane = spindle.<String>keyed("space").at("key");

    @Test
    void k2_methodsOfTheJdk_runInTheLane() throws Exception {
        ScheduledExecutorService executor = lane;
        Callable<Boolean> inLane = lane::isCurrent;

        assertThat(executor.submit(inLane).get()).isTrue();
        assertThat(executor.schedule(inLane, 1, TimeUnit.MILLISECONDS).get()).isTrue();
        assertThat(executor.invokeAll(List.of(inLane, inLane)))
                .allMatch(future -> ((CompletableFuture<Boolean>) future).join());
        assertThat(executor.invokeAny(List.of(inLane))).isTrue();
        assertThat(lane.isCurrent()).isFalse();
        assertThat(result(spindle.submit(inLane))).isFalse();
        assertThat(result(spindle.<String>keyed("space").at("other").submit(inLane)))
                .isFalse();
    }

    @Test
    void k2_shutdownOfTheLaneOfAKey_hasNoEffect() throws Exception {
        Gate gate = new Gate();
        lane.execute(gate);
        gate.awaitEntered();

        lane.shutdown();
        assertThat(lane.shutdownNow()).isEmpty();
        lane.close();

        assertThat(lane.isShutdown()).isFalse();
        assertThat(lane.isTerminated()).isFalse();
        assertThat(lane.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        gate.open();
        assertThat(lane.awaitTermination(20, TimeUnit.SECONDS)).isFalse(); // quiet, not terminated
        assertThat(result(lane.submit(() -> "goes on"))).isEqualTo("goes on");
        spindle.close();
        assertThat(lane.isShutdown()).isTrue();
        assertThat(lane.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a1_submittedTaskWhoseValueIsAStage_isLoggedOncePerClass() {
        try (CollectedLog.Recording log = CollectedLog.record()) {
            for (int i = 0; i < 3; i++) {
                Callable<CompletableFuture<String>> task = CompletableFuture::new;
                result(lane.submit(task));
                result(spindle.submit(() -> "no stage"));
            }

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("submitAsync"))
                    .singleElement()
                    .asString()
                    .contains("CompletionStage", "key");
        }
    }

    @Test
    void a1_checkedExceptionOfAnAsyncTask_failsTheFuture() {
        CompletableFuture<String> future = lane.submitAsync(() -> {
            throw new IOException("expected");
        });

        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void a1_orTimeoutOnAnAsyncTask_freesTheKey() {
        CompletableFuture<String> future = lane.submitAsync(CompletableFuture<String>::new);

        future.orTimeout(5, TimeUnit.MILLISECONDS);

        assertThat(result(lane.submit(() -> "after it"))).isEqualTo("after it");
        assertThatThrownBy(future::get).hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void d1_shutdownNow_cancelsAnOpenAsyncTaskSoThatCloseReturns() {
        CompletableFuture<String> open = lane.submitAsync(CompletableFuture<String>::new);
        result(spindle.submit(() -> {}));

        spindle.shutdownNow();
        spindle.close();

        assertThat(open).isCancelled();
    }
}
