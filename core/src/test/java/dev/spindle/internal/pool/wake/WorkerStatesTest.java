// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.wake;

import static dev.spindle.internal.pool.wake.WorkerState.COMING;
import static dev.spindle.internal.pool.wake.WorkerState.ENDED;
import static dev.spindle.internal.pool.wake.WorkerState.ENDING;
import static dev.spindle.internal.pool.wake.WorkerState.EXPIRED;
import static dev.spindle.internal.pool.wake.WorkerState.IDLE;
import static dev.spindle.internal.pool.wake.WorkerState.SEARCHING;
import static dev.spindle.internal.pool.wake.WorkerState.STARTING;
import static dev.spindle.internal.pool.wake.WorkerState.WORKING;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.Scheduler;
import dev.spindle.internal.SchedulerStub;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkerStatesTest {
    /** The table once more: a transition that is added by mistake, or missing, differs from it. */
    private static final Map<WorkerState, Set<WorkerState>> TABLE = new EnumMap<>(Map.of(
            STARTING, EnumSet.of(COMING, WORKING, SEARCHING, ENDED),
            COMING, EnumSet.of(WORKING, ENDED),
            WORKING, EnumSet.of(SEARCHING, IDLE, ENDING, ENDED),
            SEARCHING, EnumSet.of(WORKING, IDLE, ENDING, ENDED),
            IDLE, EnumSet.of(COMING, SEARCHING, EXPIRED, ENDING, ENDED),
            EXPIRED, EnumSet.of(ENDED),
            ENDING, EnumSet.of(ENDED),
            ENDED, EnumSet.noneOf(WorkerState.class)));

    private static final int MAX = 8;

    private static final Scheduler SCHEDULER = new SchedulerStub() {
        @Override
        public void ready(Object entry) {
            throw new AssertionError(entry);
        }
    };

    private final WorkerStates states = new WorkerStates(MAX);
    private final List<Node> unparked = new ArrayList<>();
    private int places;

    private final class Node extends WorkerNode {
        private final boolean virtual;

        Node(boolean virtual, boolean auxiliary) {
            super(SCHEDULER, 0, 0, auxiliary);
            this.virtual = virtual;
            setPlace(places++);
            states.ensurePlaces(places);
            states.add(this);
        }

        @Override
        public boolean isVirtual() {
            return virtual;
        }

        @Override
        public void unpark() {
            unparked.add(this);
        }
    }

    /** Returns a new worker in the given state. */
    private Node in(WorkerState state, boolean virtual, boolean auxiliary) {
        Node worker = new Node(virtual, auxiliary);
        if (state == IDLE || state == EXPIRED || state == ENDING) {
            states.move(worker, WORKING);
        }
        if (state == EXPIRED) {
            states.move(worker, IDLE);
        }
        if (state != STARTING && worker.state() != state) {
            states.move(worker, state);
        }
        return worker;
    }

    private Node in(WorkerState state) {
        return in(state, false, false);
    }

    @ParameterizedTest
    @EnumSource
    void w1_eachTransition_isMadeIfTheTableAllowsIt(WorkerState from) {
        for (WorkerState to : WorkerState.values()) {
            Node worker = in(from);
            String before = states.toString();

            if (requireNonNull(TABLE.get(from)).contains(to)) {
                assertThat(from.leadsTo(to)).isTrue();
                states.move(worker, to);
                assertThat(worker.state()).isEqualTo(to);
            } else {
                assertThat(from.leadsTo(to)).isFalse();
                assertThatThrownBy(() -> states.move(worker, to))
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("was " + from + " and must not become " + to);
                assertThat(worker.state()).isEqualTo(from);
                assertThat(states).hasToString(before);
            }
            if (worker.state() != ENDED) {
                states.move(worker, ENDED);
            }
        }
    }

    /** The counts are compared with the states of all workers after each of many transitions. */
    @Test
    void w1_countsAfterAnyTransitions_areThoseOfTheStates() {
        Random random = new Random(47);
        List<Node> workers = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (workers.size() < MAX && random.nextInt(4) == 0) {
                workers.add(new Node(random.nextBoolean(), random.nextBoolean()));
            } else if (!workers.isEmpty()) {
                Node worker = workers.get(random.nextInt(workers.size()));
                List<WorkerState> next = Arrays.stream(WorkerState.values())
                        .filter(worker.state()::leadsTo)
                        .toList();
                states.move(worker, next.get(random.nextInt(next.size())));
                workers.removeIf(one -> one.state() == ENDED);
            }
            assertThat(states.areSound()).as(states.toString()).isTrue();
            assertThat(states.threads()).isEqualTo(workers.size());
            assertThat(states.awake()).isEqualTo(count(workers, WORKING) + count(workers, SEARCHING));
            assertThat(states.isSearching()).isEqualTo(count(workers, SEARCHING) > 0);
            assertThat(states.coming()).isEqualTo(count(workers, STARTING) + count(workers, COMING));
            assertThat(states.running()).isEqualTo(workers.size() - count(workers, STARTING));
            assertThat(states.staying()).isEqualTo(states.running() - count(workers, EXPIRED) - count(workers, ENDING));
            assertThat(states.idle()).isEqualTo(count(workers, IDLE));
            assertThat(workers).allMatch(worker -> states.isIdle(worker.place()) == (worker.state() == IDLE));
        }
        assertThat(states.peak()).isEqualTo(MAX);
    }

    private static int count(List<Node> workers, WorkerState state) {
        return (int) workers.stream().filter(worker -> worker.state() == state).count();
    }

    @Test
    void w2_idleWorkers_areWokenLastFirst_andOnce() {
        Node first = in(IDLE);
        Node second = in(IDLE);
        Node third = in(IDLE);
        states.move(second, EXPIRED);

        assertThat(states.wake(MAX)).isSameAs(third);
        assertThat(states.wake(MAX)).isSameAs(first);
        assertThat(states.wake(MAX)).isNull();
        assertThat(List.of(first.state(), third.state())).containsOnly(SEARCHING);
        assertThat(states.wakeUps()).as("three starts and two wake-ups").isEqualTo(5);
    }

    /** A thread may die while its worker is idle. */
    @Test
    void w2_idleWorkerThatDies_isNotWoken() {
        Node other = in(IDLE);
        states.move(in(IDLE), ENDED);

        assertThat(states.wake(MAX)).isSameAs(other);
        assertThat(states.wake(MAX)).isNull();
    }

    @Test
    void t4_auxiliary_isWokenAfterAllOthers() {
        Node core = in(IDLE);
        Node auxiliary = in(IDLE, true, true);

        assertThat(states.wake(MAX)).isSameAs(core);
        assertThat(states.wake(MAX)).isSameAs(auxiliary);
        assertThat(auxiliary.state()).isEqualTo(COMING);
    }

    @Test
    void t1_asManyUnblockedAsTheLimit_noneIsWoken() {
        in(WORKING);
        Node idle = in(IDLE);

        assertThat(states.wake(1)).isNull();
        states.beginBlocking();
        assertThat(states.wake(1)).isSameAs(idle);
        assertThat(states.isFull(2)).isFalse();
        states.endBlocking();
        assertThat(states.isFull(2)).isTrue();
    }

    /** All that come may wait for a carrier; another such worker would not help. */
    @Test
    void w4_enoughAreComing_onlyAPlatformThreadIsWoken() {
        in(STARTING);
        Node virtual = in(IDLE, true, false);
        assertThat(states.wake(1)).isNull();
        Node platform = in(IDLE, false, true);

        assertThat(states.wake(1)).isSameAs(platform);
        states.move(platform, WORKING);
        assertThat(states.hasRoom(2)).isFalse();
        assertThat(states.hasRoom(3)).isTrue();
        assertThat(states.wake(3)).isSameAs(virtual);
    }

    @Test
    void d1_end_endsIdleWorkers_andThoseThatLeaveServiceLater() {
        Node idle = in(IDLE);
        Node works = in(WORKING);

        states.end();
        states.leave(works);

        assertThat(unparked).containsExactly(idle);
        assertThat(List.of(idle.state(), works.state())).containsOnly(ENDING);
    }

    @Test
    void endIdle_endsAnAuxiliaryFirst() {
        Node core = in(IDLE, false, false);
        Node auxiliary = in(IDLE, false, true);
        Node later = in(IDLE, false, false);
        states.setMax(1);
        assertThat(states.hasExcess()).isTrue();

        assertThat(states.endIdle()).isSameAs(auxiliary);
        assertThat(states.stayingOfCore()).isEqualTo(2);
        assertThat(states.endIdle()).isSameAs(later);
        assertThat(states.hasExcess()).isFalse();
        assertThat(core.state()).isEqualTo(IDLE);
        assertThat(states.areSound()).isTrue();
        states.move(auxiliary, ENDED);
        states.move(later, ENDED);
        assertThat(states.stayingOfCore()).isEqualTo(1);
        assertThat(states.areSound()).isTrue();
    }
}
