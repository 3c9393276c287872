// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.queue.ReadyQueue;
import dev.spindle.internal.queue.RunQueue;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters that start near the limit of 31 or 32 bits, which a busy executor reaches within minutes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CounterRangeTest {
    private static final String KEY = "key";

    private final HandScheduler scheduler = new HandScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final WorkerContext worker =
            new WorkerContext(scheduler, Duration.ofHours(1).toNanos());

    @Test
    void n2_runQueueNeverEntered_isSeenAfterTwoToThe31Entries() throws ReflectiveOperationException {
        RunQueue queue = new RunQueue(4);
        set(queue, "head", (1L << 31) + 5);
        set(queue, "tail", (1L << 31) + 5);
        queue.offer("entry", 0);

        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.take(e -> true)).isEqualTo("entry");
    }

    @Test
    void t3_helperThatHasComeRoundManyTimes_findsEveryRunQueue() throws ReflectiveOperationException {
        ReadyQueue queue = new ReadyQueue("test");
        List<ReadyQueue.View> owners = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ReadyQueue.View view = new ReadyQueue.View(new Counters());
            queue.offerOwn(view, "to be taken");
            owners.add(view);
        }
        ReadyQueue.View thief = new ReadyQueue.View(new Counters());
        for (int i = 0; i < 10 * ReadyQueue.LOOK; i++) {
            queue.poll(thief);
        }
        for (int i = 0; i < 20 * ReadyQueue.LOOK; i++) {
            ReadyQueue.View owner = owners.get(i % owners.size());
            queue.offerOwn(owner, i);

            assertThat(queue.poll(thief)).isEqualTo(i);
            assertThat((int) get(thief, "place")).isBetween(0, owners.size() - 1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Integer.MAX_VALUE - 2L, (1L << 32) - 4})
    void l2_pendingTaskThatReplacedBillions_isReplacedAsEver(long replaced) throws ReflectiveOperationException {
        LaneCore lane = keys.lane(KEY);
        Once first = new Once();
        lane.offer(null, first);
        set(first, "count", replaced);
        List<Once> later = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Once next = new Once();
            assertThat(lane.offer(null, next)).isNotNull();
            later.add(next);
        }

        assertThat(lane.estimatedSuperseded()).isEqualTo(replaced + 8);
        ((LaneCore) requireNonNull(scheduler.ready.poll())).turn(worker);
        assertThat(later).extracting(o -> o.runs).containsExactly(0, 0, 0, 0, 0, 0, 0, 1);
        assertThat(lane.estimatedSuperseded()).isEqualTo(replaced + 8);
    }

    @Test
    void k8_asManyPausesAsCanBeCounted_theNextIsRefusedAndTheLaneStaysPaused() throws ReflectiveOperationException {
        LaneCore lane = keys.lane(KEY);
        lane.pause();
        set(lane, "gate", Integer.MAX_VALUE & -64); // the count is above the lowest 6 bits

        assertThatThrownBy(lane::pause)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(KEY)
                .hasMessageContaining("33554431");
        assertThat(lane.isPaused()).isTrue();
        lane.resume();
        assertThat(lane.pause()).isTrue();
    }

    @Test
    void m1_taskThatHasWaitedForAMonth_isTheOldest() {
        LaneCore lane = keys.lane(KEY);
        lane.push(() -> {});
        scheduler.now += TimeUnit.DAYS.toNanos(24);

        assertThat(lane.estimatedAgeMillis()).isEqualTo((int) TimeUnit.DAYS.toMillis(24));
        scheduler.now += TimeUnit.DAYS.toNanos(7);
        assertThat(lane.estimatedAgeMillis()).isEqualTo(Integer.MAX_VALUE);
    }

    private static void set(Object object, String name, long value) throws ReflectiveOperationException {
        Field field = field(object, name);
        if (field.getType() == int.class) {
            field.setInt(object, (int) value);
        } else {
            field.setLong(object, value);
        }
    }

    @SuppressWarnings("NullAway") // unboxes a number
    private static Object get(Object object, String name) throws ReflectiveOperationException {
        return field(object, name).get(object);
    }

    private static Field field(Object object, String name) throws ReflectiveOperationException {
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    private static final class Once implements CoalescingSubmission {
        private volatile long count;

        @Override
        public void setCount(long replaced) {
            count = replaced;
        }

        @Override
        public long count() {
            return count;
        }

        private int runs;

        @Override
        public void run() {
            runs++;
        }

        @Override
        public Runnable userTask() {
            return this;
        }

        @Override
        public void withdrawn() {}

        @Override
        public void superseded() {}
    }
}
