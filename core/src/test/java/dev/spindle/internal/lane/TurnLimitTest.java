// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.HandScheduler;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TurnLimitTest {
    private final HandScheduler scheduler = new HandScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace space = table.add(new LaneSpace(table, "orders"));
    private final List<Object> ran = new ArrayList<>();

    private LaneCore submit(Object key, Runnable task) {
        LaneCore lane = space.lane(key);
        assertThat(lane.submit(task)).isTrue();
        return lane;
    }

    private void submit(Object key) {
        submit(key, () -> ran.add(key));
    }

    private List<Object> readyKeys() {
        return scheduler.ready.stream()
                .map(entry ->
                        Objects.requireNonNull(((ReadyEntry) entry).lane()).key())
                .toList();
    }

    /** Submits a task that opens an async task, and returns its lane. */
    private LaneCore open(Object key) {
        LaneCore lane = space.lane(key);
        submit(key, () -> lane.hold(0));
        return lane;
    }

    @Test
    void ready_moreLanesThanTheLimit_waitAndAreServedInOrder() {
        space.setMaxConcurrency(2);
        for (int key = 0; key < 5; key++) {
            submit(key);
        }
        assertThat(readyKeys()).containsExactly(0, 1);
        scheduler.turn();
        assertThat(readyKeys()).containsExactly(1, 2);
        scheduler.drain();
        assertThat(ran).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void ready_laneThatComesLater_doesNotOvertakeOneThatWaits() {
        space.setMaxConcurrency(1);
        submit(0, () -> {
            ran.add(0);
            submit(0);
        });
        submit(1);
        scheduler.drain();
        submit(2);
        scheduler.drain();
        assertThat(ran).containsExactly(0, 0, 1, 2);
    }

    @Test
    void turn_afterItsQuantum_yieldsItsPermitToALaneThatWaits() {
        space.setMaxConcurrency(1);
        for (int i = 0; i < 2 * WorkerContext.QUANTUM; i++) {
            submit(0);
        }
        submit(1);
        scheduler.turn();
        assertThat(ran).hasSize(WorkerContext.QUANTUM);
        scheduler.turn();
        assertThat(ran).last().isEqualTo(1);
        scheduler.drain();
        assertThat(ran).hasSize(2 * WorkerContext.QUANTUM + 1);
    }

    @Test
    void turn_afterItsQuantum_keepsItsPermitIfNoLaneWaits() {
        space.setMaxConcurrency(1);
        scheduler.others = true;
        for (int i = 0; i < 2 * WorkerContext.QUANTUM; i++) {
            submit(0);
        }
        Object entry = scheduler.ready.peek();
        scheduler.turn();
        assertThat(scheduler.ready).containsExactly(entry);
        submit(1);
        assertThat(readyKeys()).containsExactly(0);
        scheduler.drain();
        assertThat(ran).hasSize(2 * WorkerContext.QUANTUM + 1);
    }

    @Test
    void turn_afterItsQuantum_keepsNoPermitAboveALoweredLimit() {
        space.setMaxConcurrency(2);
        for (int i = 0; i < 2 * WorkerContext.QUANTUM; i++) {
            submit(0);
            submit(1);
        }
        space.setMaxConcurrency(1);
        scheduler.turn();
        assertThat(readyKeys()).containsExactly(1);
        scheduler.drain();
        assertThat(ran).hasSize(4 * WorkerContext.QUANTUM);
    }

    @Test
    void asyncTask_open_keepsThePermitOfItsTurn() {
        space.setMaxConcurrency(1);
        LaneCore lane = open(0);
        submit(1);
        scheduler.drain();
        assertThat(ran).isEmpty();
        lane.release();
        assertThat(readyKeys()).containsExactly(1);
        scheduler.drain();
        assertThat(ran).containsExactly(1);
        assertNoPermitIsTaken(1);
    }

    @Test
    void asyncTask_thatEnds_isBehindTheLanesThatWait() {
        space.setMaxConcurrency(1);
        LaneCore lane = open(0);
        submit(0);
        submit(1);
        scheduler.drain();
        lane.release();
        scheduler.drain();
        assertThat(ran).containsExactly(1, 0);
        assertNoPermitIsTaken(1);
    }

    @Test
    void asyncTask_thatEndsWithinItsTurn_leavesThePermitToTheTurn() {
        space.setMaxConcurrency(1);
        LaneCore lane = space.lane(0);
        submit(0, () -> {
            lane.hold(0);
            lane.release();
            submit(1);
            assertThat(scheduler.ready).isEmpty();
        });
        submit(0);
        scheduler.drain();
        assertThat(scheduler.failures).isEmpty();
        assertThat(ran).containsExactly(0, 1);
        assertNoPermitIsTaken(1);
    }

    @Test
    void asyncTask_thatEndsInAPause_givesThePermitBackOnce() {
        space.setMaxConcurrency(1);
        LaneCore lane = open(0);
        scheduler.drain();
        submit(0);
        submit(1);
        assertThat(lane.pause()).isTrue();
        lane.release();
        scheduler.drain();
        assertThat(ran).containsExactly(1);
        lane.resume();
        scheduler.drain();
        assertThat(ran).containsExactly(1, 0);
        assertNoPermitIsTaken(1);
    }

    @Test
    void setMaxConcurrency_larger_makesWaitingLanesReady() {
        space.setMaxConcurrency(0);
        for (int key = 0; key < 4; key++) {
            submit(key);
        }
        assertThat(scheduler.ready).isEmpty();
        space.setMaxConcurrency(3);
        assertThat(readyKeys()).containsExactly(0, 1, 2);
        assertThat(space.maxConcurrency()).isEqualTo(3);
        space.setMaxConcurrency(Integer.MAX_VALUE);
        assertThat(readyKeys()).containsExactly(0, 1, 2, 3);
        scheduler.drain();
        assertThat(ran).containsExactly(0, 1, 2, 3);
    }

    @Test
    void firstLimit_countsTheTurnsThatRun() {
        submit(0, () -> {
            space.setMaxConcurrency(1);
            submit(1);
            assertThat(scheduler.ready).isEmpty();
        });
        scheduler.drain();
        assertThat(scheduler.failures).isEmpty();
        assertThat(ran).containsExactly(1);
        assertNoPermitIsTaken(1);
    }

    @Test
    void firstLimit_countsTheAsyncTasksThatAreOpen() {
        LaneCore lane = open(0);
        scheduler.drain();
        space.setMaxConcurrency(1);
        submit(1);
        assertThat(scheduler.ready).isEmpty();
        lane.release();
        assertThat(readyKeys()).containsExactly(1);
        scheduler.drain();
        assertNoPermitIsTaken(1);
    }

    @Test
    void firstLimit_countsTheAsyncTaskThatARunningTurnOpens() {
        LaneCore lane = space.lane(0);
        submit(0, () -> {
            space.setMaxConcurrency(1);
            lane.hold(0);
        });
        scheduler.drain();
        submit(1);
        assertThat(scheduler.ready).isEmpty();
        lane.release();
        scheduler.drain();
        assertThat(ran).containsExactly(1);
        assertNoPermitIsTaken(1);
    }

    @Test
    void firstLimit_holdsForLanesThatAreReady() {
        for (int key = 0; key < 4; key++) {
            submit(
                    key,
                    () -> assertThat(scheduler.ready.stream()
                                    .filter(entry -> !(entry instanceof LaneCore))
                                    .count())
                            .isZero());
        }
        space.setMaxConcurrency(1);
        scheduler.drain();
        assertThat(scheduler.failures).isEmpty();
        assertNoPermitIsTaken(1);
    }

    @Test
    void closeAll_spaceWithALimitOf0_runsAllThatWaits() {
        space.setMaxConcurrency(0);
        submit(0);
        submit(1);
        table.closeAll();
        scheduler.drain();
        assertThat(ran).containsExactly(0, 1);
        assertThat(table.isEmpty()).isTrue();
        space.setMaxConcurrency(0);
        assertThat(space.maxConcurrency()).isEqualTo(1);
    }

    private void assertNoPermitIsTaken(int limit) {
        ran.clear();
        for (int i = 0; i < limit + 1; i++) {
            submit("last " + i);
        }
        assertThat(scheduler.ready).as("free permits").hasSize(limit);
        scheduler.drain();
        assertThat(ran).hasSize(limit + 1);
    }
}
