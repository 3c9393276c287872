// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** K3 of {@code Async} stages: several threads attach stages while the future completes. */
@Tag("stress")
@Timeout(240)
class StageOrderStressTest {
    private static final int THREADS = 3;
    private static final int STAGES = 20;
    private static final int ROUNDS = 300;

    /** How the future completes. */
    enum End {
        TASK,
        ASYNC_TASK,
        BY_HAND,
        CANCEL
    }

    /** Plain: the lane runs one stage at a time. */
    private final List<int[]> seen = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(End.class)
    void k3_stagesAttachedWhileTheFutureCompletes_keepTheOrderOfEachThread(End end) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
        try (Spindle spindle = Spindle.builder().coreThreads(2).build()) {
            Lane lane = spindle.keyed("keys").at("key");
            for (int round = 0; round < ROUNDS; round++) {
                seen.clear();
                round(end, lane, threads);
                int[] next = new int[THREADS];
                for (int[] stage : seen) {
                    assertThat(stage[1]).as("the stage of thread %s", stage[0]).isEqualTo(next[stage[0]]++);
                }
                assertThat(seen).hasSize(THREADS * STAGES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void round(End end, Lane lane, ExecutorService threads) throws Exception {
        Gate gate = new Gate();
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        CompletableFuture<Integer> future = end == End.ASYNC_TASK
                ? lane.submitAsync(() -> stage)
                : lane.submit(() -> {
                    gate.run();
                    return 1;
                });
        CyclicBarrier begin = new CyclicBarrier(THREADS + 1);
        List<Future<?>> threadsDone = new ArrayList<>();
        CompletableFuture<?>[] last = new CompletableFuture<?>[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            threadsDone.add(threads.submit(() -> {
                begin.await(20, TimeUnit.SECONDS);
                for (int i = 0; i < STAGES; i++) {
                    int number = i;
                    last[thread] = future.handleAsync((value, failure) -> seen.add(new int[] {thread, number}));
                }
                return true;
            }));
        }
        threadsDone.add(threads.submit(() -> {
            begin.await(20, TimeUnit.SECONDS);
            boolean unused = switch (end) {
                case TASK -> true;
                case ASYNC_TASK -> stage.complete(1);
                case BY_HAND -> future.complete(2);
                case CANCEL -> future.cancel(true);
            };
            gate.open();
            return true;
        }));
        for (Future<?> done : threadsDone) {
            result(done);
        }
        for (CompletableFuture<?> stageOfThread : last) {
            result(stageOfThread);
        }
    }
}
