// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Submits that wait at a bound, in simulated time. */
@Timeout(30)
class SimulationBoundsTest {
    private final List<String> log = new ArrayList<>();

    private Runnable says(String what) {
        return () -> log.add(what);
    }

    @Test
    void submit_toAFullSpindle_waitsForRoomByRunning() {
        try (Simulation simulation =
                Simulation.inOrder(Spindle.builder().capacity(1, OnFull.block(Duration.ofSeconds(1))))) {
            simulation.spindle().execute(says("1"));
            simulation.spindle().execute(says("2"));

            assertThat(log).containsExactly("1");
        }
        assertThat(log).containsExactly("1", "2");
    }

    @Test
    void submit_toAFullExecutor_waitsForRoomByRunning() {
        try (Simulation simulation = Simulation.seeded(6)) {
            LogicalExecutor reads = simulation
                    .spindle()
                    .executorBuilder("reads")
                    .maxConcurrency(1)
                    .capacity(1, OnFull.block(Duration.ofSeconds(1)))
                    .build();
            reads.execute(says("1")); // can run at once
            reads.execute(says("2")); // waits
            reads.execute(says("3"));

            assertThat(log).containsExactly("1", "2");
        }
    }

    @Test
    void submit_toAFullLaneThatIsPaused_isRejectedWhenTheTimeIsUp() {
        try (Simulation simulation = Simulation.inOrder()) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.setKeyCapacity(1, OnFull.block(Duration.ofSeconds(1)));
            keyed.at("k").pause();
            keyed.execute("k", says("1"));

            assertThatThrownBy(() -> keyed.execute("k", says("2"))).isInstanceOf(RejectedExecutionException.class);
            assertThat(simulation.spindle().nanoTime()).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        }
    }

    @Test
    void submit_toAFullLaneAndThenAFullSpindle_waitsForBothNoLongerThanTheLimit() {
        SpindleBuilder bounds = Spindle.builder().capacity(2, OnFull.block(Duration.ofMinutes(1)));
        try (Simulation simulation = Simulation.inOrder(bounds)) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.setKeyCapacity(1, OnFull.block(Duration.ofMinutes(1)));
            keyed.at("paused").pause();
            keyed.at("other").pause();
            keyed.execute("paused", says("1"));
            keyed.execute("k", () -> {
                keyed.execute("other", says("2")); // takes the place of this task
                simulation.advance(Duration.ofSeconds(40));
            });

            assertThatThrownBy(() -> keyed.execute("k", says("3"))).isInstanceOf(RejectedExecutionException.class);
            assertThat(simulation.spindle().nanoTime()).isEqualTo(TimeUnit.MINUTES.toNanos(1));
        }
    }
}
