// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.HandScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds and retirement of a lane, run step by step on one thread. */
class LaneGateTest {
    private final HandScheduler scheduler = new HandScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final LaneCore lane = keys.lane("a");
    private final List<Object> ran = new ArrayList<>();

    @Test
    void pause_readyLane_runsNothingUntilTheResume() {
        push("1");
        assertThat(lane.pause()).isTrue();
        scheduler.drain();
        push("2");
        assertThat(ran).isEmpty();
        assertThat(lane.isPaused()).isTrue();
        assertThat(scheduler.ready).isEmpty();

        lane.resume();
        assertThat(scheduler.ready).containsExactly(lane);
        scheduler.drain();
        assertThat(ran).containsExactly("1", "2");
        assertThat(lane.isPaused()).isFalse();
    }

    @Test
    void pause_idleLane_holdsWhatComes() {
        lane.pause();
        push("1");
        scheduler.drain();
        assertThat(ran).isEmpty();

        lane.resume();
        scheduler.drain();
        assertThat(ran).containsExactly("1");
    }

    @Test
    void pause_insideATurn_endsTheTurnAfterTheTask() {
        lane.push(() -> {
            lane.pause();
            ran.add("1");
        });
        push("2");
        scheduler.drain();
        assertThat(ran).containsExactly("1");

        lane.resume();
        scheduler.drain();
        assertThat(ran).containsExactly("1", "2");
    }

    @Test
    void resume_pausedTwice_isCounted() {
        push("1");
        lane.pause();
        lane.pause();
        scheduler.drain();
        lane.resume();
        assertThat(scheduler.ready).isEmpty();

        lane.resume();
        scheduler.drain();
        assertThat(ran).containsExactly("1");
    }

    @Test
    void resume_notPaused_isRefused() {
        assertThatThrownBy(lane::resume)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lane keys/a")
                .hasMessageContaining("pause");
    }

    @Test
    void resume_beforeTheOwnerHasParked_makesReadyOnce() {
        push("1");
        lane.pause();
        lane.resume();
        assertThat(scheduler.readies).isEqualTo(1);

        scheduler.drain();
        assertThat(ran).containsExactly("1");
    }

    @Test
    void hold_insideATurn_keepsTheLaneUntilTheRelease() {
        lane.push(() -> {
            lane.hold(0);
            ran.add("1");
        });
        push("2");
        scheduler.drain();
        assertThat(ran).containsExactly("1");
        assertThat(scheduler.ready).isEmpty();

        lane.release();
        scheduler.drain();
        assertThat(ran).containsExactly("1", "2");
        assertThat(scheduler.readies).isEqualTo(2);
    }

    @Test
    void release_insideTheTurn_goesOnWithoutAHop() {
        lane.push(() -> {
            lane.hold(0);
            lane.release();
        });
        push("2");
        scheduler.drain();

        assertThat(ran).containsExactly("2");
        assertThat(scheduler.readies).isEqualTo(1);
    }

    @Test
    void resume_whileAnAsyncTaskIsOpen_leavesTheLaneHeld() {
        lane.push(() -> lane.hold(0));
        push("2");
        lane.pause();
        scheduler.drain();
        lane.resume();
        scheduler.drain();
        lane.pause();
        lane.release();
        scheduler.drain();
        assertThat(ran).isEmpty();

        lane.resume();
        scheduler.drain();
        assertThat(ran).containsExactly("2");
    }

    @Test
    void tryRetire_idleLane_isDead() {
        assertThat(lane.tryRetire()).isTrue();
        assertThat(lane.tryRetire()).isTrue();

        assertThat(lane.isDead()).isTrue();
        assertThat(push("1")).isFalse();
        assertThat(lane.pause()).isFalse();
        assertThat(lane.offer(null, new Submission(() -> {}))).isNull();
        assertThat(lane.offer("new slot", new Submission(() -> {}))).isNull();
        assertThat(table.isEmpty()).isTrue();
    }

    @Test
    void tryRetire_laneInUse_livesOn() {
        push("1");
        assertThat(lane.tryRetire()).isFalse();
        lane.pause();
        scheduler.drain();
        assertThat(lane.tryRetire()).as("parked").isFalse();
        lane.resume();
        scheduler.drain();
        lane.pause();
        assertThat(lane.tryRetire()).as("paused while idle").isFalse();

        lane.resume();
        push("2");
        lane.offer(null, new Submission(() -> ran.add("3")));
        scheduler.drain();
        assertThat(ran).containsExactly("1", "2", "3");
        assertThat(lane.tryRetire()).isTrue();
    }

    @Test
    void close_pausedLane_endsAllPausesAndDies() {
        push("1");
        lane.pause();
        lane.pause();
        scheduler.drain();
        lane.close();
        assertThat(lane.isPaused()).isFalse();
        scheduler.drain();

        assertThat(ran).containsExactly("1");
        assertThat(lane.isDead()).isTrue();
    }

    @Test
    void close_idlePausedLane_diesAtOnce() {
        lane.pause();
        lane.close();

        assertThat(lane.isDead()).isTrue();
    }

    @Test
    void close_openAsyncTask_diesWithIt() {
        lane.push(() -> lane.hold(0));
        scheduler.drain();
        lane.close();
        assertThat(lane.isDead()).isFalse();

        lane.release();
        scheduler.drain();
        assertThat(lane.isDead()).isTrue();
    }

    @Test
    void pause_closedLane_isRefused() {
        push("1");
        lane.close();

        assertThatThrownBy(lane::pause)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shut down");
        lane.resume(); // the close has ended all pauses
        scheduler.drain();
        assertThat(lane.isDead()).isTrue();
    }

    private boolean push(Object name) {
        return lane.push(() -> ran.add(name));
    }
}
