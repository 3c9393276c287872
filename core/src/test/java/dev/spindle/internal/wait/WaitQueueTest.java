// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitQueueTest {
    private static final class Numbered extends WaitQueue.Waiter<Numbered> {
        final int number;

        Numbered(int number) {
            this.number = number;
        }
    }

    private final WaitQueue<Numbered> queue = new WaitQueue<>();

    @Test
    void remove_twice_isTrueOnce() {
        Numbered waiter = new Numbered(1);
        queue.add(waiter);
        assertThat(waiter.isQueued()).isTrue();

        assertThat(queue.remove(waiter)).isTrue();
        assertThat(queue.remove(waiter)).isFalse();
        assertThat(waiter.isQueued()).isFalse();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void remove_waiterThatNeverJoined_changesNothing() {
        Numbered waiter = new Numbered(1);
        queue.add(waiter);

        assertThat(queue.remove(new Numbered(2))).isFalse();
        assertThat(queue.first()).isSameAs(waiter);
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void removeIf_some_returnsThemInOrderAndKeepsTheOrderOfTheOthers() {
        for (int i = 0; i < 6; i++) {
            queue.add(new Numbered(i));
        }

        assertThat(queue.removeIf(waiter -> waiter.number % 2 == 0))
                .extracting(waiter -> waiter.number)
                .containsExactly(0, 2, 4);
        assertThat(queue.toList()).extracting(waiter -> waiter.number).containsExactly(1, 3, 5);
    }

    @Test
    void addAndRemove_inRandomOrder_isAsAList() {
        Random random = new Random(7);
        List<Numbered> expected = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (expected.isEmpty() || random.nextInt(9) < 5) {
                Numbered waiter = new Numbered(i);
                queue.add(waiter);
                expected.add(waiter);
            } else {
                int at = random.nextBoolean() ? 0 : random.nextInt(expected.size());
                assertThat(queue.remove(expected.remove(at))).isTrue();
            }
            assertThat(queue.size()).isEqualTo(expected.size());
            assertThat(queue.first()).isSameAs(expected.isEmpty() ? null : expected.get(0));
        }
        assertThat(queue.toList()).isEqualTo(expected);
    }
}
