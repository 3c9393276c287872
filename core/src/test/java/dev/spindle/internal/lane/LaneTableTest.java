// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static dev.spindle.TestSupport.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.spindle.internal.HandScheduler;
import dev.spindle.internal.SchedulerStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneTableTest {
    private final HandScheduler scheduler = new HandScheduler();
    private final List<LaneCore> died = new ArrayList<>();
    private int armed;
    private final LaneTable table = table(Integer.MAX_VALUE);
    private final LaneSpace keys = space(table);

    @Test
    void lane_sameKeyTwice_isOneLane() {
        LaneCore lane = keys.lane("a");

        assertThat(keys.lane(String.valueOf(new char[] {'a'}))).isSameAs(lane);
        assertThat(keys.existing("a")).isSameAs(lane);
        assertThat(keys.existing("b")).isNull();
        assertThat(table.size()).isEqualTo(1);
    }

    /** Code of a key runs under no lock of the table. */
    @Test
    void lane_keyWhoseCodeBlocks_holdsUpNoOtherKey() throws InterruptedException {
        CountDownLatch blocks = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Object key = new Object() {
            private int calls;

            @Override
            public int hashCode() {
                if (++calls == 2) { // the first call looks the lane up, the second puts a new lane into the map
                    blocks.countDown();
                    awaitUninterruptibly(end);
                }
                return 42;
            }
        };
        Thread maker = new Thread(() -> keys.lane(key));
        maker.start();
        blocks.await();

        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> keys.lane("other"));
        end.countDown();
        maker.join();
        assertThat(table.size()).isEqualTo(2);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lane_keyThatThrows_leavesNothing() {
        Object key = new Object() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("no hash");
            }
        };

        assertThatThrownBy(() -> keys.lane(key)).hasMessage("no hash");
        assertThat(table.isEmpty()).isTrue();
    }

    /** ConcurrentHashMap counts an entry after it has inserted it, and exhausts memory or stack only then. */
    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class, NoClassDefFoundError.class})
    void f5_mapThatFailsAfterTheInsertion_keepsTheLane(Class<? extends Error> failure) throws Exception {
        Error error = failure.getDeclaredConstructor().newInstance();
        LaneMapTest.replace(keys, new ConcurrentHashMap<>() {
            @Override
            public LaneCore putIfAbsent(Object key, LaneCore lane) {
                super.putIfAbsent(key, lane);
                throw error;
            }
        });

        LaneCore lane = keys.lane("a");

        assertThat(keys.existing("a")).isSameAs(lane);
        assertThat(table.size()).isEqualTo(1);
        lane.close();
        assertThat(table.size()).isZero();
    }

    @Test
    void f5_deathThatFailsInTheMapAndInItsReport_isCounted() throws Exception {
        StackOverflowError error = new StackOverflowError("on purpose");
        LaneTable table = new LaneTable(
                new SchedulerStub() {
                    @Override
                    public void ready(Object entry) {}

                    @Override
                    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
                        throw error;
                    }
                },
                Integer.MAX_VALUE,
                () -> {},
                died::add);
        LaneSpace keys = space(table);
        LaneMapTest.replace(keys, new ConcurrentHashMap<>() {
            @Override
            public boolean remove(Object key, @Nullable Object lane) {
                throw error;
            }
        });
        LaneCore lane = keys.lane("a");

        assertThatThrownBy(lane::close).isSameAs(error);

        assertThat(table.isEmpty()).isTrue();
        assertThat(died).containsExactly(lane);
    }

    @Test
    void sweep_firstIdleLane_isArmedOnce() {
        keys.lane("a");
        keys.lane("b");
        run("a");

        assertThat(armed).isEqualTo(1);
    }

    @Test
    void sweep_laneIdleForTwoEpochs_retiresIt() {
        LaneCore lane = keys.lane("a");
        run("a");

        table.sweep();
        assertThat(lane.isDead()).isFalse();
        table.sweep();

        assertThat(lane.isDead()).isTrue();
        assertThat(died).containsExactly(lane);
        assertThat(table.isEmpty()).isTrue();
        assertThat(keys.existing("a")).isNull();
    }

    @Test
    void sweep_laneUsedInBetween_startsAgain() {
        LaneCore lane = keys.lane("a");
        table.sweep();
        run("a");
        table.sweep();
        assertThat(lane.isDead()).isFalse();

        table.sweep();
        assertThat(lane.isDead()).isTrue();
    }

    @Test
    void sweep_nothingIdleLeft_isArmedByTheNextIdleLaneAlone() {
        keys.lane("a");
        while (!table.isEmpty()) {
            table.sweep();
        }
        armed = 0;
        table.sweep();
        assertThat(armed).as("an empty table").isZero();

        run("b");
        assertThat(armed).isEqualTo(1);
    }

    @Test
    void sweep_pausedLane_isNeitherRetiredNorWaitedFor() {
        LaneCore lane = keys.lane("a");
        lane.pause();
        for (int i = 0; i < 5; i++) {
            table.sweep();
        }
        armed = 0;
        assertThat(lane.isDead()).isFalse();

        lane.resume();
        assertThat(armed).isEqualTo(1);
        table.sweep();
        table.sweep();
        assertThat(lane.isDead()).isTrue();
    }

    /** U2 and U3: removed keys cost neither time nor memory. */
    @Test
    void sweep_oneKeyLeftOfVeryMany_costsNoMoreThanIfItWereAlone() {
        LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
        LaneSpace keys = space(table);
        keys.lane("left");
        long before = usedBytes();
        for (int i = 0; i < 1_000_000; i++) {
            keys.lane(i);
        }
        for (int sweeps = 0; table.size() > 1 || sweeps < 5; sweeps++) {
            keys.lane("left").push(() -> {});
            scheduler.drain();
            while (!table.sweep()) {
                assertThat(keys.existing("left")).isNotNull();
            }
        }
        assertThat(table.lanes()).hasSize(1);
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++) {
            keys.lane("left").push(() -> {});
            scheduler.drain();
            long begin = System.nanoTime();
            assertThat(table.sweep()).isTrue();
            assertThat(table.taskCounts().waiting()).isZero();
            fastest = Math.min(fastest, System.nanoTime() - begin);
        }
        assertThat(fastest).as("a table for a million takes some milliseconds").isLessThan(200_000);
        assertThat(usedBytes() - before).as("one of some 8 MB").isLessThan(2_000_000);
    }

    @Test
    void sweep_veryManyLanes_goesInSlices() {
        for (int i = 0; i < 10_000; i++) {
            keys.lane(i);
        }
        int calls = 1;
        while (!table.sweep()) {
            calls++;
        }

        assertThat(calls).isGreaterThan(1);
        while (!table.isEmpty()) {
            table.sweep();
        }
        assertThat(died).hasSize(10_000);
    }

    @Test
    void lane_manyIdleKeys_keepsAboutTheLimit() {
        LaneTable small = table(16);
        LaneSpace smallKeys = space(small);
        for (int i = 0; i < 1000; i++) {
            smallKeys.lane(i);
        }

        assertThat(small.size()).isLessThanOrEqualTo(16);
    }

    @Test
    void lane_manyBusyKeys_evictsNone() {
        LaneTable small = table(16);
        LaneSpace smallKeys = space(small);
        for (int i = 0; i < 100; i++) {
            smallKeys.lane(i).push(() -> {});
        }

        assertThat(small.size()).isEqualTo(100);
        assertThat(died).isEmpty();
    }

    @Test
    void laneAfter_deadLane_isANewOne() {
        LaneCore lane = keys.lane("a");
        assertThat(lane.tryRetire()).isTrue();
        assertThat(lane.push(() -> {})).isFalse();

        LaneCore next = LaneSpace.laneAfter(lane);
        assertThat(next).isNotSameAs(lane);
        assertThat(next.push(() -> {})).isTrue();
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void died_keyWhoseHashHasChanged_isNoLongerCounted() {
        List<String> key = new ArrayList<>(List.of("a"));
        LaneCore lane = keys.lane(key);
        key.add("b");

        assertThat(lane.tryRetire()).isTrue();
        assertThat(table.isEmpty()).isTrue();
        assertThat(keys.lane(key)).isNotSameAs(lane);
    }

    @Test
    void laneAfter_keyWhoseHashHasChangedAndCameBack_isReplaced() {
        List<String> key = new ArrayList<>(List.of("a"));
        LaneCore lane = keys.lane(key);
        key.add("b");
        lane.tryRetire();
        key.remove("b");

        assertThat(keys.lane(key)).isSameAs(lane);
        assertThat(LaneSpace.laneAfter(lane)).isNotSameAs(lane);
    }

    @Test
    void died_keyThatThrows_isReportedAndNoLongerCounted() {
        boolean[] broken = {false};
        Object key = new Object() {
            @Override
            public int hashCode() {
                if (broken[0]) {
                    throw new IllegalStateException("no hash");
                }
                return 1;
            }
        };
        LaneCore lane = keys.lane(key);
        broken[0] = true;

        assertThat(lane.tryRetire()).isTrue();
        assertThat(scheduler.failures)
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("no hash");
        assertThat(table.isEmpty()).isTrue();
    }

    @Test
    void closeAll_idleAndBusyLanes_dieWhenTheyAreIdle() {
        LaneCore idle = keys.lane("idle");
        LaneCore busy = keys.lane("busy");
        busy.push(() -> {});

        table.closeAll();
        assertThat(idle.isDead()).isTrue();
        assertThat(busy.isDead()).isFalse();
        scheduler.drain();
        assertThat(busy.isDead()).isTrue();
        assertThat(table.isEmpty()).isTrue();
    }

    @Test
    void lane_madeAfterCloseAll_diesAfterItsFirstTurn() {
        table.closeAll();
        LaneCore lane = keys.lane("a");
        assertThat(lane.isDead()).isFalse();

        run("a");
        assertThat(lane.isDead()).isTrue();
    }

    @Test
    void pause_laneMadeAfterCloseAll_isRefusedAndLeavesNothing() {
        table.closeAll();
        LaneCore lane = keys.lane("a");

        assertThatThrownBy(lane::pause)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lane keys/a");
        assertThat(table.isEmpty()).isTrue();
    }

    private LaneTable table(int idleLimit) {
        return new LaneTable(scheduler, idleLimit, () -> armed++, died::add);
    }

    private static LaneSpace space(LaneTable of) {
        return of.add(new LaneSpace(of, "keys"));
    }

    private void run(Object key) {
        keys.lane(key).push(() -> {});
        scheduler.drain();
    }
}
