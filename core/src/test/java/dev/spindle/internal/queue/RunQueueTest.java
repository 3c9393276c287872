// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunQueueTest {
    private final RunQueue queue = new RunQueue(4);

    @Test
    void poll_severalEntries_givesTheOldestFirst() {
        queue.offer("a", 1);
        queue.offer("b", 2);

        assertThat(queue.mayHaveEntries()).isTrue();
        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.poll()).isEqualTo("b");
        assertThat(queue.poll()).isNull();
        assertThat(queue.mayHaveEntries()).isFalse();
    }

    @Test
    void poll_stampAboveTheLimit_leavesTheEntry() {
        queue.offer("a", 5);
        queue.offer("b", 7);

        assertThat(queue.poll(4)).isNull();
        assertThat(queue.poll(5)).isEqualTo("a");
        assertThat(queue.poll(5)).isNull();
        assertThat(queue.poll(7)).isEqualTo("b");
    }

    @Test
    void poll_oldestWasTakenByAnother_comparesTheNext() {
        queue.offer("a", 5);
        queue.offer("b", 7);
        queue.take("a"::equals);

        assertThat(queue.poll(5)).isNull();
        assertThat(queue.poll(7)).isEqualTo("b");
    }

    @Test
    void hasStampUpTo_oldestEntry_isCompared() {
        assertThat(queue.hasStampUpTo(Long.MAX_VALUE)).isFalse();
        queue.offer("a", 5);
        queue.offer("b", 7);

        assertThat(queue.hasStampUpTo(4)).isFalse();
        assertThat(queue.hasStampUpTo(5)).isTrue();
        assertThat(queue.take("a"::equals)).isEqualTo("a");
        assertThat(queue.hasStampUpTo(6)).isFalse();
        assertThat(queue.hasStampUpTo(7)).isTrue();
    }

    @Test
    void offer_full_isRefusedUntilTheOwnerPolls() {
        for (int i = 0; i < 4; i++) {
            assertThat(queue.offer(i, i)).isTrue();
        }
        assertThat(queue.offer("more", 9)).isFalse();
        assertThat(queue.take(e -> e.equals(2))).isEqualTo(2);
        assertThat(queue.offer("more", 9))
                .as("a place in the middle is no place at the end")
                .isFalse();
        assertThat(queue.poll()).isEqualTo(0);
        assertThat(queue.offer("more", 9)).isTrue();
        assertThat(queue.poll()).isEqualTo(1);
        assertThat(queue.poll()).isEqualTo(3);
        assertThat(queue.poll()).isEqualTo("more");
    }

    @Test
    void take_notWanted_leavesTheEntry() {
        queue.offer("a", 0);
        queue.offer("b", 0);

        assertThat(queue.take("c"::equals)).isNull();
        assertThat(queue.take("b"::equals)).isEqualTo("b");
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.span()).isEqualTo(2);
        assertThat(queue.estimatedCount(e -> true)).isEqualTo(1);
        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
        assertThat(queue.span()).isZero();
    }

    @Test
    void manyTimesRound_randomSteps_equalsAQueue() {
        Random random = new Random(42);
        ArrayDeque<Integer> model = new ArrayDeque<>();
        for (int i = 0; i < 10_000; i++) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    boolean room = queue.span() < 4;
                    assertThat(queue.offer(i, i)).isEqualTo(room);
                    if (room) {
                        model.add(i);
                    }
                }
                case 1 -> assertThat(queue.poll()).isEqualTo(model.poll());
                default -> assertThat(queue.take(e -> true)).isEqualTo(model.poll());
            }
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(queue.span()).isBetween(model.size(), 4);
        }
    }

    @Test
    void capacity_noPowerOfTwo_isRefused() {
        assertThatThrownBy(() -> new RunQueue(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3");
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 3, (1L << 32) - 3})
    void n2_runQueueNobodyStealsFrom_isSeenPastTheRangeOfAnInt(long first) {
        RunQueue queue = new RunQueue(4, first);
        queue.isEmpty(); // as other threads call it

        for (int i = 0; i < 10; i++) {
            assertThat(queue.isEmpty()).as("before entry %d", i).isTrue();
            assertThat(queue.offer(i, i)).isTrue();
            assertThat(queue.isEmpty()).as("with entry %d", i).isFalse();
            assertThat(queue.hasStampUpTo(i)).as("with entry %d", i).isTrue();
            assertThat(i % 2 == 0 ? queue.poll() : queue.take(e -> true))
                    .as("entry %d", i)
                    .isEqualTo(i);
        }
    }

    @Test
    void hold_batch_itsEntriesComeFirstWhateverTheStamp() {
        queue.offer("c", 5);
        Batch batch = new Batch("a", 4);
        queue.hold(batch);
        batch.add("b");

        assertThat(queue.hasStampUpTo(0)).isTrue();
        assertThat(queue.mayHaveMore(1)).isTrue();
        assertThat(queue.estimatedCount(e -> true)).isEqualTo(3);
        assertThat(queue.poll(0)).isEqualTo("a");
        assertThat(queue.poll(0)).isEqualTo("b");
        assertThat(queue.poll(0)).isNull();
        assertThat(queue.hasStampUpTo(0)).isFalse();
        assertThat(queue.poll(5)).isEqualTo("c");
    }

    @Test
    void hold_batch_othersSeeThatTheWorkerTakesFromItAndMayTakeFromItToo() {
        Batch batch = new Batch("a", 4);
        batch.add("b");
        batch.add("c");
        queue.hold(batch);
        long head = queue.head();

        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.head()).isNotEqualTo(head);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.take(e -> true)).isEqualTo("b");
        assertThat(queue.take(e -> true)).isEqualTo("c");
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
        assertThat(queue.mayHaveEntries()).isFalse();
    }
}
