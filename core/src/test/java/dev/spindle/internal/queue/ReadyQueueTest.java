// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.Counters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadyQueueTest {
    private static final long LIMIT = Duration.ofSeconds(30).toNanos();

    private final ReadyQueue queue = new ReadyQueue("test");
    private final Counters counters = new Counters();
    private final ReadyQueue.View one = new ReadyQueue.View(new Counters());
    private final ReadyQueue.View other = new ReadyQueue.View(counters);

    @Test
    void poll_oneWorker_servesInOrderOfReadinessOnBothLevels() {
        queue.offer("1");
        queue.offerOwn(one, "2");
        queue.offer("3");
        queue.offerOwn(one, "4");
        queue.offerOwn(one, "5");
        queue.offer("6");

        assertThat(drain(one)).containsExactly("1", "2", "3", "4", "5", "6");
    }

    @Test
    void poll_nothingElse_stealsTheOldest() {
        queue.offerOwn(one, "1");
        queue.offerOwn(one, "2");
        queue.offer("shared");

        assertThat(queue.poll(other)).isEqualTo("shared");
        assertThat(queue.poll(other)).isEqualTo("1");
        assertThat(counters.get(Counters.What.STOLEN)).isEqualTo(1);
        assertThat(drain(one)).containsExactly("2");
    }

    /** A thread that adds and takes entries, which are the numbers of its rounds. */
    private final class Mover extends Thread {
        private volatile boolean stopped;
        private int taken;

        @Override
        public void run() {
            for (int i = 0; !stopped; i++) {
                queue.offerOwn(one, i);
                taken += queue.poll(one) != null ? 1 : 0;
            }
        }
    }

    @Test
    void poll_singleEntryOfAWorkerThatTakesItsEntries_isLeftToIt() throws InterruptedException {
        Mover mover = new Mover();
        int left = 0;
        int stolen = 0;
        mover.start();
        try {
            for (long start = System.nanoTime(); left < 1_000 && System.nanoTime() - start < LIMIT; ) {
                stolen += queue.poll(other) != null ? 1 : 0;
                left += queue.leftOwnerAffine(other) ? 1 : 0;
            }
        } finally {
            mover.stopped = true;
            mover.join();
        }
        assertThat(left).isEqualTo(1_000);
        assertThat(stolen)
                .as("stolen while it did not run, of %s that it took", mover.taken)
                .isLessThan(500);
        assertThat(counters.get(Counters.What.STOLEN)).isEqualTo(stolen);
    }

    @Test
    void poll_singleEntryThatStandsStill_isStolen() {
        queue.offerOwn(one, "1");

        assertThat(queue.poll(other)).isEqualTo("1");
        assertThat(queue.leftOwnerAffine(other)).isFalse();
    }

    @Test
    void isOwnerAffine_nothingReady_onlyIfSomethingWasTakenSinceTheLastLook() {
        queue.offerOwn(one, "1");
        assertThat(queue.isOwnerAffine(other)).as("an entry that stands still").isFalse();
        assertThat(queue.poll(one)).isEqualTo("1");

        assertThat(queue.isOwnerAffine(other)).isTrue();
        assertThat(queue.isOwnerAffine(other)).isFalse();
    }

    @Test
    void isOwnerAffine_moreThanOneEntryReady_isNot() {
        queue.offerOwn(one, "1");
        queue.offerOwn(one, "2");
        assertThat(queue.poll(one)).isEqualTo("1");
        assertThat(queue.hasMore()).isFalse();
        assertThat(queue.isNext(one)).isTrue();
        queue.offer("from outside");

        assertThat(queue.hasMore()).isTrue();
        assertThat(queue.isOwnerAffine(other)).isFalse();
        assertThat(queue.poll(other)).isEqualTo("from outside");
        queue.offerOwn(one, "3");

        assertThat(queue.hasMore()).isTrue();
        assertThat(queue.isNext(one)).isFalse();
        assertThat(queue.isOwnerAffine(other)).isFalse();
    }

    @Test
    void poll_workerThatDoesNotMove_isHelpedThoughThereIsOtherWork() {
        queue.offerOwn(one, "stuck 1");
        queue.offerOwn(one, "stuck 2");
        for (int i = 0; i < 10 * ReadyQueue.LOOK; i++) {
            queue.offer(i);
        }

        List<Object> taken = new ArrayList<>();
        for (int i = 0; i < 3 * ReadyQueue.LOOK; i++) {
            taken.add(requireNonNull(queue.poll(other)));
        }

        assertThat(taken).contains("stuck 1", "stuck 2");
        assertThat(taken.indexOf("stuck 2") - taken.indexOf("stuck 1")).isEqualTo(2);
    }

    @Test
    void poll_workerThatDoesNotMove_isNotHelpedBeforeWhatCameEarlier() {
        for (int i = 0; i < 3 * ReadyQueue.LOOK; i++) {
            queue.offer(i);
        }
        queue.offerOwn(one, "stuck");
        for (int i = 0; i < 3 * ReadyQueue.LOOK; i++) {
            queue.offer(i);
        }

        List<Object> taken = drain(other);

        assertThat(taken.indexOf("stuck")).isBetween(3 * ReadyQueue.LOOK, 5 * ReadyQueue.LOOK + 1);
    }

    @Test
    void poll_workerThatMoves_isLeftAlone() {
        for (int i = 0; i < 8; i++) {
            queue.offerOwn(one, "own " + i);
        }
        for (int i = 0; i < 10 * ReadyQueue.LOOK; i++) {
            queue.offer(i);
        }

        for (int i = 0; i < 7 * ReadyQueue.LOOK; i++) {
            if (i % ReadyQueue.LOOK == 0) {
                queue.poll(one); // this worker makes progress
            }
            assertThat(queue.poll(other)).isInstanceOf(Integer.class);
        }
    }

    @Test
    void poll_muchLongerRunQueueOfAnother_isHelped() {
        for (int i = 0; i < 200; i++) {
            queue.offerOwn(one, "own " + i);
        }
        for (int i = 0; i < 1_000; i++) {
            queue.offer(i);
        }
        int helped = 0;
        for (int i = 0; i < 500; i++) {
            queue.poll(one);
            helped += queue.poll(other) instanceof String ? 1 : 0;
        }

        assertThat(helped).isGreaterThan(50);
    }

    @Test
    void offerOwn_moreThanTheRunQueueHolds_oneWorkerServesInOrderAllTheSame() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            queue.offerOwn(one, i);
            all.add(i);
            if (i % 100 == 99) {
                queue.offer("from outside " + i);
                all.add("from outside " + i);
            }
        }

        assertThat(queue.estimatedSize()).isEqualTo(1_010);
        assertThat(drain(one)).isEqualTo(all);
    }

    @Test
    void offerOwn_moreThanTheRunQueueHolds_othersTakeIt() {
        fill(one);
        queue.offerOwn(one, "a");
        queue.offerOwn(one, "b");
        queue.offerOwn(one, "c");

        assertThat(queue.poll(other)).isEqualTo("a");
        assertThat(queue.tookBatch(other)).isTrue();
        assertThat(queue.tookBatch(other)).isFalse();
        assertThat(queue.isNext(other)).isFalse();
        assertThat(queue.poll(other)).isEqualTo("b");
        queue.offerOwn(one, "d");
        assertThat(queue.poll(other)).isEqualTo("c");
        assertThat(queue.poll(other)).isEqualTo("d");
        assertThat(counters.get(Counters.What.STOLEN)).isZero();
    }

    @Test
    void poll_holderOfABatchDoesNotMove_othersTakeWhatItHolds() {
        fill(one);
        for (int i = 0; i < 3; i++) {
            queue.offerOwn(one, "in a batch " + i);
        }
        assertThat(queue.poll(other)).isEqualTo("in a batch 0");
        assertThat(queue.hasReady()).isTrue();

        ReadyQueue.View third = new ReadyQueue.View(new Counters());

        assertThat(drain(third)).contains("in a batch 1", "in a batch 2").hasSize(256 + 2);
        assertThat(queue.hasReady()).isFalse();
    }

    @Test
    void leave_holderOfABatch_itsEntriesGoToTheOthers() {
        fill(one);
        queue.offerOwn(one, "a");
        queue.offerOwn(one, "b");
        assertThat(queue.poll(other)).isEqualTo("a");

        queue.leave(other);

        assertThat(queue.poll(new ReadyQueue.View(new Counters()))).isEqualTo("b");
    }

    @Test
    void removeAll_entriesOfBatches_areFoundWhereverTheyAre() {
        fill(one);
        for (int i = 0; i < 8; i++) {
            queue.offerOwn(one, "in a batch " + i);
        }
        assertThat(queue.poll(other)).as("holds four").isEqualTo("in a batch 0");

        assertThat(queue.removeFirst("in a batch 6"::equals)).isEqualTo("in a batch 6");
        assertThat(queue.removeAll(e -> e instanceof String))
                .containsExactlyInAnyOrder(
                        "in a batch 1", "in a batch 2", "in a batch 3", "in a batch 4", "in a batch 5", "in a batch 7");
        assertThat(drain(other)).hasSize(256);
        assertThat(queue.hasReady()).isFalse();
    }

    private void fill(ReadyQueue.View view) {
        for (int i = 0; i < 256; i++) {
            queue.offerOwn(view, i);
        }
    }

    @Test
    void leave_entriesOfAWorkerThatEnds_goToTheOthers() {
        queue.offerOwn(one, "1");
        queue.offerOwn(one, "2");

        queue.leave(one);

        assertThat(queue.hasReady()).isTrue();
        assertThat(drain(other)).containsExactly("1", "2");
        assertThat(counters.get(Counters.What.STOLEN)).isZero();
    }

    @Test
    void offerOwn_afterAnotherHasLeft_takesItsPlace() {
        for (int i = 0; i < 100; i++) {
            ReadyQueue.View next = new ReadyQueue.View(new Counters());
            queue.offerOwn(next, i);
            assertThat(queue.poll(next)).isEqualTo(i);
            queue.leave(next);
        }
        queue.offerOwn(one, "last");

        assertThat(queue.poll(other)).isEqualTo("last");
    }

    @Test
    void hasReady_ownEntryOnly_isTrueUntilItIsTaken() {
        assertThat(queue.hasReady()).isFalse();
        queue.offerOwn(one, "1");
        assertThat(queue.hasReady()).isTrue();
        assertThat(queue.estimatedSize()).isEqualTo(1);
        assertThat(queue.estimatedCount("1"::equals)).isEqualTo(1);

        queue.poll(one);

        assertThat(queue.hasReady()).isFalse();
    }

    @Test
    void removeFirst_wantedEntries_areFoundOnBothLevels() {
        queue.offer("shared");
        queue.offerOwn(one, "own");

        assertThat(queue.removeFirst("none"::equals)).isNull();
        assertThat(queue.removeFirst("own"::equals)).isEqualTo("own");
        assertThat(queue.removeFirst("shared"::equals)).isEqualTo("shared");
        assertThat(queue.hasReady()).isFalse();
    }

    private List<Object> drain(ReadyQueue.View view) {
        List<Object> taken = new ArrayList<>();
        for (Object entry = queue.poll(view); entry != null; entry = queue.poll(view)) {
            taken.add(entry);
        }
        return taken;
    }
}
