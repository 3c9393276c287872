// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpindleHealthTest {
    private static void hold(CountDownLatch begun, CountDownLatch go) {
        begun.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks until the state is as wanted; the test has a time limit. */
    private static SpindleHealth.Status await(SpindleHealth health, boolean stalled) {
        SpindleHealth.Status status = health.check();
        while (status.isStalled() != stalled) {
            Thread.onSpinWait();
            status = health.check();
        }
        return status;
    }

    @Test
    void check_ofAnIdleSpindle_isLiveAndReady() {
        try (Spindle spindle = Spindle.create()) {
            SpindleHealth.Status status = new SpindleHealth(spindle).check();

            assertThat(status.isLive()).isTrue();
            assertThat(status.isReady()).isTrue();
            assertThat(status.isStalled()).isFalse();
            assertThat(status).hasToString("live, ready: " + spindle);
        }
    }

    @Test
    void check_ofASpindleWhoseThreadsAllHang_isStalledAndNeitherLiveNorReady() throws Exception {
        Spindle spindle =
                Spindle.builder().name("hanging").coreThreads(1).maxThreads(2).build();
        SpindleHealth health = new SpindleHealth(spindle, Duration.ofMillis(20));
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(2);
        spindle.execute(() -> hold(begun, go));
        spindle.execute(() -> hold(begun, go));
        begun.await();
        spindle.execute(() -> {});

        SpindleHealth.Status stalled = await(health, true);

        assertThat(stalled.isLive()).isFalse();
        assertThat(stalled.isReady()).isFalse();
        assertThat(stalled.detail()).contains("hanging", "1 ready entries", "no task has ended for");
        assertThat(health.stuck()).hasSize(2);
        go.countDown();
        SpindleHealth.Status well = await(health, false);
        assertThat(well.isReady()).isTrue();
        spindle.close();
    }

    @Test
    void firstCheck_ofASpindleThatHasStalledBefore_findsIt() throws Exception {
        Spindle spindle = Spindle.builder()
                .name("hanging")
                .coreThreads(1)
                .maxThreads(1)
                .stuckAfter(Duration.ofMillis(8))
                .onStuck(activity -> {})
                .build();
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        spindle.keyed("orders").execute("order-12", () -> hold(begun, go));
        begun.await();
        spindle.execute(() -> {});
        PoolConfig.Host watched = Pool.of(spindle).host();
        while (watched.stalledNanos() < 20_000_000 || watched.stuck().isEmpty()) {
            Thread.onSpinWait();
        }

        SpindleHealth health = new SpindleHealth(spindle, Duration.ofMillis(20));
        SpindleHealth.Status stalled = health.check();

        assertThat(stalled.isStalled()).isTrue();
        assertThat(stalled.isLive()).isFalse();
        assertThat(stalled.detail()).contains("no task has ended for", "1 reported as stuck", "order-12");
        go.countDown();
        assertThat(await(health, false).isReady()).isTrue();
        spindle.close();
    }

    @Test
    void firstCheck_withoutTheWatch_findsNoStall() throws Exception {
        Spindle spindle = Spindle.builder()
                .coreThreads(1)
                .maxThreads(1)
                .stuckAfter(Duration.ZERO)
                .build();
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        spindle.execute(() -> hold(begun, go));
        begun.await();
        spindle.execute(() -> {});

        SpindleHealth health = new SpindleHealth(spindle, Duration.ofNanos(1));

        assertThat(health.check().isStalled()).isFalse();
        assertThat(await(health, true).isLive()).isFalse();
        go.countDown();
        spindle.close();
    }

    @Test
    void check_whileOneTaskHangsAndNothingIsReady_isReady() throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(2).build()) {
            SpindleHealth health = new SpindleHealth(spindle, Duration.ofNanos(1));
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            spindle.keyed("orders").execute("order-12", () -> hold(begun, go));
            spindle.keyed("orders").execute("order-12", () -> {}); // waits behind it, and is not ready
            begun.await();

            assertThat(health.check().isStalled()).isFalse();
            assertThat(health.check().isReady()).isTrue();
            assertThat(health.stuck()).singleElement().asString().contains("orders/order-12");
            go.countDown();
        }
    }

    @Test
    void check_afterAShutdown_isLiveAndNotReady() {
        Spindle spindle = Spindle.create();
        SpindleHealth health = new SpindleHealth(spindle);
        spindle.shutdown();

        assertThat(health.check().isLive()).isTrue();
        assertThat(health.check().isReady()).isFalse();
        spindle.close();
        assertThat(health.check().isLive()).isTrue();
    }

    @Test
    void stalledAfter_whichIsNotPositive_isRefusedWithItsName() {
        try (Spindle spindle = Spindle.create()) {
            assertThatThrownBy(() -> new SpindleHealth(spindle, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("stalledAfter must be positive, is PT0S");
            assertThat(new SpindleHealth(spindle, Duration.ofSeconds(Long.MAX_VALUE))
                            .check()
                            .isReady())
                    .isTrue();
        }
    }

    @Test
    void check_inASimulation_followsSimulatedTime() {
        try (Simulation simulation = Simulation.inOrder()) {
            SpindleHealth health = new SpindleHealth(simulation.spindle());

            assertThat(health.check().isReady()).isTrue();
            simulation.advance(Duration.ofHours(1));
            assertThat(health.check().isReady()).isTrue();
        }
    }
}
