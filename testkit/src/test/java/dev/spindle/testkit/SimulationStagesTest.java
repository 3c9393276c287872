// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** K3: in a simulation, {@code Async} stages are steps of their lane, in the order in which they were attached. */
@SuppressWarnings("FutureReturnValueIgnored") // the stages record their runs
class SimulationStagesTest {
    @Test
    void k3_asyncStages_inEveryOrderOfSteps_keepTheirOrder() {
        Simulation.explore(99, run -> {
            Lane alice = run.spindle().keyed("keys").at("alice");
            Lane bob = run.spindle().keyed("keys").at("bob");
            List<String> seen = new ArrayList<>();
            CompletableFuture<String> future = alice.submit(() -> "value");
            future.thenAcceptAsync(value -> seen.add("first"));
            bob.execute(() -> future.thenRunAsync(() -> seen.add("second")).thenRunAsync(() -> seen.add("third")));
            run.run();
            assertThat(seen).containsExactly("first", "second", "third");
        });
    }

    @Test
    void join_ofADerivedFuture_runsTheSimulation() {
        try (Simulation run = Simulation.inOrder()) {
            Lane alice = run.spindle().keyed("keys").at("alice");
            CompletableFuture<Integer> derived =
                    alice.submit(() -> 1).thenApply(v -> v + 1).thenApplyAsync(v -> v + 1);
            assertThat(derived.join()).isEqualTo(3);
            CompletableFuture<Integer> never = new CompletableFuture<>();
            CompletableFuture<Integer> composed = alice.submit(() -> 1).thenComposeAsync(v -> never);
            run.run();
            assertThat(composed).isNotDone();
            never.complete(4);
            assertThat(composed.join()).isEqualTo(4);
            assertThatThrownBy(() -> alice.submit(() ->
                                    alice.submit(() -> 1).thenApply(v -> v).join())
                            .join())
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }
}
