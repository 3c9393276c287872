// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Activity;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stuck work in simulated time. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the reports are checked
class SimulationStuckTest {
    private final List<String> reports = new ArrayList<>();

    private Simulation simulation() {
        return Simulation.inOrder(Spindle.builder()
                .stuckAfter(Duration.ofSeconds(30))
                .onStuck(activity -> reports.add(activity.owner() + " " + activity.kind() + " "
                        + (activity.kind() == Activity.Kind.ASYNC ? activity.runningFor() : activity.oldestAge()))));
    }

    @Test
    void asyncTaskThatStaysOpen_isReportedOnceWhenTheClockHasPassedTheLimit() {
        try (Simulation simulation = simulation()) {
            Keyed<String> orders = simulation.spindle().keyed("orders");
            CompletableFuture<String> answer = new CompletableFuture<>();
            orders.submitAsync("a", () -> answer);
            simulation.advance(Duration.ofSeconds(29));
            assertThat(reports).isEmpty();

            simulation.advance(Duration.ofSeconds(2));
            simulation.advance(Duration.ofSeconds(60));

            assertThat(reports).containsExactly("key orders/a ASYNC PT31S");
            answer.complete("done");
            simulation.advance(Duration.ofSeconds(1));
            orders.submitAsync("a", () -> new CompletableFuture<>());
            simulation.advance(Duration.ofSeconds(40));
            assertThat(reports).hasSize(2);
            simulation.spindle().shutdownNow();
        }
    }

    @Test
    void taskThatWaits_isReportedWhileItWaits() {
        try (Simulation simulation = simulation()) {
            Spindle spindle = simulation.spindle();
            CompletableFuture<?> task = spindle.keyed("orders").submit("a", () -> {
                spindle.schedule(() -> {}, 45, TimeUnit.SECONDS).get();
                return "done";
            });
            simulation.advance(Duration.ofSeconds(40));
            assertThat(task).isNotDone();
            assertThat(reports).singleElement().asString().startsWith("key orders/a LANE");
            simulation.advance(Duration.ofSeconds(10));
            assertThat(task).isDone();
            assertThat(reports).hasSize(1);
        }
    }
}
