// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.Counters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RunQueues-1: run queues of which there are fewer than workers. */
class RunQueuesTest {
    private static final int MOST = 2;
    private static final int AFTER = 3;

    private final ReadyQueue queue = new ReadyQueue("test", 2, new RunQueues(4, MOST, AFTER));
    private final ReadyQueue.View one = view();
    private final ReadyQueue.View other = view();
    private final ReadyQueue.View late = view();

    private static ReadyQueue.View view() {
        return new ReadyQueue.View(new Counters());
    }

    /** The owners of both run queues add an entry and take it. */
    private void begin() {
        move(one);
        move(other);
    }

    private void move(ReadyQueue.View view) {
        queue.offerOwn(view, "moved");
        assertThat(queue.poll(view)).isEqualTo("moved");
    }

    private boolean hasRunQueue(ReadyQueue.View view) {
        queue.offerOwn(view, "own");
        boolean next = queue.isNext(view);
        assertThat(queue.removeFirst("own"::equals)).isEqualTo("own");
        return next;
    }

    @Test
    void offerOwn_allRunQueuesHaveOwners_addsForAll() {
        begin();
        queue.offerOwn(late, "late");

        assertThat(queue.isNext(late)).isFalse();
        assertThat(queue.hasMore()).isTrue();
        assertThat(queue.poll(one)).isEqualTo("late");
    }

    @Test
    void offerOwn_ownerThatStandsStill_losesItsRunQueueToTheWorkerThatAdds() {
        begin();
        for (int i = 0; i < (MOST + 2) * AFTER; i++) {
            move(late);
        }

        assertThat(hasRunQueue(late)).isTrue();
        assertThat(hasRunQueue(one) && hasRunQueue(other)).isFalse();
    }

    @Test
    void offerOwn_ownersThatMove_keepTheirRunQueues() {
        begin();
        for (int i = 0; i < 10 * AFTER; i++) {
            move(late);
            move(one);
            move(other);
        }

        assertThat(hasRunQueue(late)).isFalse();
        assertThat(hasRunQueue(one) && hasRunQueue(other)).isTrue();
    }

    @Test
    void offerOwn_ownerWithEntriesThatStandsStill_losesItsRunQueueWhenTheyAreTaken() {
        begin();
        queue.offerOwn(one, "1");
        queue.offerOwn(one, "2");
        queue.offerOwn(other, "3");
        for (int i = 0; i < (MOST + 2) * AFTER; i++) {
            queue.offerOwn(late, "late");
        }
        assertThat(queue.isNext(late)).isFalse();
        queue.offerOwn(one, "for all, since the run queue is lost");

        assertThat(drain(late)).contains("1", "2", "3", "for all, since the run queue is lost");
        for (int i = 0; i < AFTER; i++) {
            move(late);
        }
        assertThat(hasRunQueue(late)).isTrue();
    }

    @Test
    void giveUp_allRunQueuesHaveOwners_anotherWorkerOwnsIt() {
        begin();
        queue.offerOwn(one, "1");
        queue.giveUp(one);
        assertThat(queue.isNext(one)).isFalse();
        assertThat(queue.poll(late)).isEqualTo("1");
        for (int i = 0; i < AFTER; i++) {
            move(late);
        }

        assertThat(hasRunQueue(late)).isTrue();
        assertThat(hasRunQueue(other)).isTrue();
    }

    @Test
    void giveUp_fewerRunQueuesThanTheMost_keepsIt() {
        move(one);
        queue.giveUp(one);

        assertThat(hasRunQueue(one)).isTrue();
    }

    @Test
    void poll_workerWithoutARunQueue_takesTheEntriesOfABatchWithoutHoldingIt() {
        begin();
        for (int i = 0; i < 7; i++) {
            queue.offerOwn(one, i); // the last three are in a batch
        }
        queue.offer("later");

        assertThat(queue.poll(late)).isEqualTo(4);
        assertThat(queue.tookBatch(late)).isFalse();
        assertThat(queue.poll(view()))
                .as("another worker does not wait for the first")
                .isEqualTo(5);
        assertThat(queue.poll(late)).isEqualTo(6);
        assertThat(queue.poll(late)).isEqualTo("later");
        queue.offerOwn(one, "not into the batch that is gone");
        assertThat(queue.poll(late)).isEqualTo("not into the batch that is gone");
        assertThat(drain(one)).containsExactly(0, 1, 2, 3);
        assertThat(queue.hasReady()).isFalse();
    }

    @Test
    void offerOwn_holderOfABatchThatIsStillFilledLosesItsRunQueue_noEntryIsLost() {
        ReadyQueue small = new ReadyQueue("test", 2, new RunQueues(1, MOST, 1));
        ReadyQueue.View maker = view();
        small.offerOwn(maker, 1);
        small.offerOwn(maker, 2); // in a batch
        assertThat(small.poll(one)).isEqualTo(2);
        small.offerOwn(late, 3);
        small.offerOwn(late, 4); // takes the run queue of the holder
        assertThat(small.isNext(late)).isTrue();
        small.offerOwn(maker, 5); // in the same batch, if the batch were not closed

        List<Object> taken = new ArrayList<>();
        for (Object entry = small.poll(late); entry != null; entry = small.poll(late)) {
            taken.add(entry);
        }
        assertThat(taken).containsExactlyInAnyOrder(1, 3, 4, 5);
    }

    private List<Object> drain(ReadyQueue.View view) {
        List<Object> taken = new ArrayList<>();
        for (Object entry = queue.poll(view); entry != null; entry = queue.poll(view)) {
            taken.add(entry);
        }
        return taken;
    }
}
