// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.HandScheduler;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneMapTest {
    private static final int MANY = 10_000;

    private final LaneTable table = new LaneTable(new HandScheduler(), MANY, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final LaneMap map = new LaneMap();

    /** Makes {@code current} the map of an empty space. */
    static void replace(LaneSpace of, ConcurrentHashMap<Object, LaneCore> current) throws ReflectiveOperationException {
        Field lanes = LaneSpace.class.getDeclaredField("map");
        Field tables = LaneMap.class.getDeclaredField("tables");
        Constructor<?> pair = tables.getType().getDeclaredConstructors()[0];
        for (AccessibleObject each : List.of(lanes, tables, pair)) {
            each.setAccessible(true);
        }
        tables.set(lanes.get(of), pair.newInstance(current, null));
    }

    private LaneCore fresh(Object key) {
        return new LaneCore(keys, key);
    }

    private LaneCore put(Object key) {
        return map.put(key, fresh(key));
    }

    /** Begins a replacement of the table that has moved at most one lane. */
    private void beginShrinking(int lanes) {
        map.grown(MANY);
        assertThat(map.shrink(lanes, 1)).isFalse();
    }

    @Test
    void shrink_manyLeft_keepsTheTable() {
        LaneCore lane = put("a");
        map.grown(MANY);
        assertThat(map.isSparse(MANY / 8 + 1)).isFalse();
        assertThat(map.shrink(MANY / 8 + 1, 1)).isTrue();
        assertThat(map.get("a")).isSameAs(lane);
        assertThat(map.isSparse(MANY / 8)).isTrue();
    }

    @Test
    void shrink_fewEverMade_keepsTheTable() {
        map.grown(4_095);
        assertThat(map.isSparse(1)).isFalse();
        map.grown(4_096);
        assertThat(map.isSparse(1)).isTrue();
    }

    @Test
    void shrink_done_countsFromThere() {
        put("a");
        map.grown(MANY);
        assertThat(map.shrink(1, 10)).isTrue();
        assertThat(map.isSparse(1)).isFalse();
        map.grown(MANY);
        assertThat(map.isSparse(1)).isTrue();
    }

    @Test
    void get_whileTheTableIsReplaced_findsEachLane() {
        List<LaneCore> lanes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            lanes.add(put(i));
        }
        beginShrinking(10);
        do {
            for (int i = 0; i < 10; i++) {
                assertThat(map.get(i)).isSameAs(lanes.get(i));
            }
            assertThat(map.get("none")).isNull();
            assertThat(map.values()).containsExactlyInAnyOrderElementsOf(lanes);
        } while (!map.shrink(10, 1));
        assertThat(map.values()).containsExactlyInAnyOrderElementsOf(lanes);
    }

    @Test
    void put_keyOfThePreviousTable_givesItsLane() {
        LaneCore first = put("first");
        LaneCore other = put("other");
        beginShrinking(2);
        assertThat(put("first")).isSameAs(first);
        assertThat(put("other")).isSameAs(other);
        LaneCore added = put("new");
        assertThat(map.get("new")).isSameAs(added);
        assertThat(map.shrink(3, 10)).isTrue();
        assertThat(map.values()).containsExactlyInAnyOrder(first, other, added);
    }

    @Test
    void remove_whileTheTableIsReplaced_leavesNothingInEither() {
        LaneCore first = put("first");
        LaneCore other = put("other");
        beginShrinking(2);
        for (LaneCore lane : List.of(first, other)) {
            assertThat(lane.tryRetire()).isTrue();
            map.remove(lane.key(), lane);
            assertThat(map.get(lane.key())).isNull();
        }
        assertThat(map.shrink(0, 10)).isTrue();
        assertThat(map.values()).isEmpty();
    }

    /** A walk that began before continues in the replaced table, and misses no lane. */
    @Test
    void values_begunBefore_missNone() {
        List<LaneCore> lanes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            lanes.add(put(i));
        }
        Iterator<LaneCore> walk = map.values().iterator();
        List<LaneCore> seen = new ArrayList<>();
        seen.add(walk.next());
        map.grown(MANY);
        assertThat(map.shrink(100, MANY)).isTrue();
        walk.forEachRemaining(seen::add);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(lanes);
    }

    /** A key whose hashCode() changes the table of a map in the middle of a call, as a sweep might. */
    private static final class Meddling {
        private @Nullable Runnable atHash;

        @Override
        public int hashCode() {
            Runnable now = atHash;
            atHash = null;
            if (now != null) {
                now.run();
            }
            return 42;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }
    }

    @Test
    void put_intoATableThatIsReplacedMeanwhile_isFoundInTheNewOne() {
        Meddling key = new Meddling();
        LaneCore fresh = fresh(key);
        key.atHash = () -> {
            map.grown(MANY);
            assertThat(map.shrink(0, 10)).isTrue();
        };
        assertThat(map.put(key, fresh)).isSameAs(fresh);
        assertThat(map.get(key)).isSameAs(fresh);
        assertThat(map.values()).containsExactly(fresh);
    }

    @Test
    void put_lateIntoThePreviousTable_givesWayToTheOneInTheNew() {
        Meddling key = new Meddling();
        LaneCore late = fresh(key);
        LaneCore early = fresh(key);
        put("other");
        put("another");
        key.atHash = () -> {
            beginShrinking(1);
            assertThat(map.put(key, early)).isSameAs(early);
        };
        assertThat(map.put(key, late)).isSameAs(early);
        assertThat(map.get(key)).isSameAs(early);
        assertThat(late.tryRetire()).isTrue();
        map.remove(key, late);
        assertThat(map.get(key)).isSameAs(early);
        assertThat(map.shrink(2, 10)).isTrue();
        assertThat(map.get(key)).isSameAs(early);
    }

    @Test
    void get_inATableThatIsReplacedMeanwhile_findsTheLane() {
        Meddling key = new Meddling();
        LaneCore lane = put(key);
        key.atHash = () -> {
            map.grown(MANY);
            assertThat(map.shrink(1, 10)).isTrue();
        };
        assertThat(map.get(key)).isSameAs(lane);
    }

    @Test
    void shrink_keyThatThrows_keepsItsLaneUntilTheNextTime() {
        Meddling key = new Meddling();
        LaneCore lane = put(key);
        map.grown(MANY);
        key.atHash = () -> {
            throw new IllegalStateException("on purpose");
        };
        assertThat(map.shrink(1, 10)).isTrue();
        assertThat(map.get(key)).isSameAs(lane);
        key.atHash = () -> {
            throw new IllegalStateException("on purpose");
        };
        assertThatThrownBy(() -> map.get(key)).hasMessage("on purpose");
        assertThat(map.shrink(1, 10)).isTrue();
        assertThat(map.values()).containsExactly(lane);
        assertThat(map.get(key)).isSameAs(lane);
    }

    /** Threads create lanes while a sweep constantly replaces the table: each key has one lane at any time. */
    @Test
    @Tag("stress")
    void put_whileTablesAreReplaced_givesEachKeyOneLane() throws Exception {
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        Thread sweep = new Thread(() -> {
            while (rounds.get() < 20_000) {
                map.grown(MANY);
                boolean unused = map.shrink(1, 1);
            }
        });
        LaneCore[][] got = new LaneCore[2][20_000];
        List<Thread> makers = new ArrayList<>();
        for (int m = 0; m < 2; m++) {
            int maker = m;
            makers.add(new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    LaneCore found = i % 3 == maker ? map.get(i) : null;
                    got[maker][i] = found == null ? put(i) : found;
                    rounds.accumulateAndGet(i + 1, Math::max);
                    if (map.get(i) != got[maker][i]) {
                        wrong.incrementAndGet();
                    }
                }
                rounds.set(20_000);
            }));
        }
        sweep.start();
        makers.forEach(Thread::start);
        for (Thread maker : makers) {
            maker.join();
        }
        sweep.join();
        assertThat(wrong).hasValue(0);
        assertThat(got[0]).containsExactly(got[1]);
    }
}
