// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class QueueWatchTest {
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final QueueWatch watch = new QueueWatch();

    @Test
    void oldest_firstInFirstOut_isTheLengthOfTheQueue() {
        chains(queue::addLast);

        assertThat(watch.oldest()).isEqualTo(2);
    }

    @Test
    void oldest_lastInFirstOut_waitsForAllThatCame() {
        chains(queue::addFirst);

        assertThat(watch.oldest()).isEqualTo(20);
    }

    /** Three tasks that hand themselves over again, nine more times each. */
    private void chains(Executor order) {
        Executor watched = watch.over(order);
        for (int chain = 0; chain < 3; chain++) {
            watched.execute(new Chain(watched));
        }
        for (Runnable next = queue.pollFirst(); next != null; next = queue.pollFirst()) {
            next.run();
        }
    }

    private static final class Chain implements Runnable {
        private final Executor executor;
        private int left = 9;

        Chain(Executor executor) {
            this.executor = executor;
        }

        @Override
        public void run() {
            if (left-- > 0) {
                executor.execute(this);
            }
        }
    }
}
