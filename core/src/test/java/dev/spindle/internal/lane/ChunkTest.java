// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkTest {
    private static final Runnable ONE = new Task();
    private static final Runnable TWO = new Task();
    private static final Runnable THREE = new Task();

    private final Chunk chunk = new Chunk(ONE, 3);

    private static final class Task implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("a chunk runs nothing");
        }
    }

    @Test
    void append_untilFull_keepsTheOrder() {
        assertThat(chunk.append(TWO)).isTrue();
        assertThat(chunk.append(THREE)).isTrue();
        assertThat(chunk.append(new Task())).as("a fourth into three slots").isFalse();
        chunk.close();

        assertThat(chunk.estimatedDepth()).isEqualTo(3);
        assertThat(chunk.take()).isSameAs(ONE);
        assertThat(chunk.take()).isSameAs(TWO);
        assertThat(chunk.isSpent()).isFalse();
        assertThat(chunk.take()).isSameAs(THREE);
        assertThat(chunk.isSpent()).isTrue();
        assertThat(chunk.take()).isNull();
    }

    @Test
    void append_afterClose_isRefusedForEver() {
        chunk.append(TWO);
        chunk.close();

        assertThat(chunk.append(THREE)).isFalse();
        assertThat(chunk.take()).isSameAs(ONE);
        assertThat(chunk.take()).isSameAs(TWO);
        assertThat(chunk.append(THREE)).as("into slots that were taken").isFalse();
        assertThat(chunk.isSpent()).isTrue();
        assertThat(chunk.take()).isNull();
    }

    @Test
    void takeAll_afterTheOwnerTookSome_givesTheRestInOrderAndLeavesNone() {
        chunk.append(TWO);
        chunk.append(THREE);
        chunk.close();
        chunk.take();
        List<Runnable> taken = new ArrayList<>();
        chunk.takeAll(taken);

        assertThat(taken).containsExactly(TWO, THREE);
        assertThat(chunk.take()).isNull();
        assertThat(chunk.isSpent()).isTrue();
        assertThat(chunk.append(ONE)).isFalse();
    }

    @Test
    void first_thenTake_movesOnOnlyIfNobodyWasFaster() {
        chunk.append(TWO);
        chunk.close();
        assertThat(chunk.first()).isSameAs(ONE);
        assertThat(chunk.take(ONE)).isTrue();
        assertThat(chunk.first()).isSameAs(TWO);
        chunk.takeAll(new ArrayList<>());

        assertThat(chunk.take(TWO)).isFalse();
        assertThat(chunk.first()).isNull();
    }

    @Test
    void drop_amongOthers_dropsTheOldestThatIsBounded() {
        BoundedTask bounded = new BoundedTask(TWO, null, null);
        chunk.append(bounded);
        chunk.append(new BoundedTask(THREE, null, null));
        chunk.close();

        Droppable droppable = new Droppable(chunk, null);
        assertThat(droppable.drop()).isSameAs(TWO);
        assertThat(droppable.drop()).isSameAs(THREE);
        assertThat(droppable.drop()).isNull();
        assertThat(new Droppable(null, chunk).drop()).isNull();
        assertThat(chunk.take()).isSameAs(ONE);
        assertThat(chunk.isSpent()).as("nothing but dropped tasks left").isTrue();
        assertThat(chunk.take()).isNull();
    }

    @Test
    void drop_chainOfNodes_goesFromTheOldestAndCutsOutWhatIsSpent() {
        Node oldest = new Node(new BoundedTask(ONE, null, null));
        Chunk middle = new Chunk(new BoundedTask(TWO, null, null), 1);
        Node newest = new Node(new BoundedTask(THREE, null, null));
        middle.older = oldest;
        newest.older = middle;

        Droppable droppable = new Droppable(null, newest);
        assertThat(droppable.drop()).isSameAs(ONE);
        assertThat(droppable.drop()).isSameAs(TWO);
        assertThat(new Droppable(null, newest).drop()).as("another walk").isSameAs(THREE);
        assertThat(droppable.drop()).isNull();
        assertThat(new Droppable(null, newest).drop()).isNull();
        assertThat(newest.older).isNull();
    }

    @Test
    void drop_tasksThatWereTakenSinceTheWalk_arePassedOver() {
        BoundedTask taken = new BoundedTask(ONE, null, null);
        chunk.append(taken);
        chunk.append(new BoundedTask(THREE, null, null));
        Droppable droppable = new Droppable(null, chunk);
        assertThat(taken.withdraw()).isSameAs(ONE);

        assertThat(droppable.drop()).isSameAs(THREE);
        assertThat(droppable.drop()).isNull();
    }

    @Test
    void append_lateToAFullChunkBelowTheNewest_isRefused() {
        Chunk full = new Chunk(ONE, 2);
        full.append(TWO);
        Chunk newest = new Chunk(THREE, 4);
        newest.older = full;
        Node oldest = newest.oldest();

        assertThat(oldest).isSameAs(full);
        assertThat(full.newer).isSameAs(newest);
        assertThat(full.take()).isSameAs(ONE);
        assertThat(full.append(new Task())).as("into the slot that was taken").isFalse();
        assertThat(newest.append(new Task())).isFalse();
        assertThat(full.take()).isSameAs(TWO);
        assertThat(full.isSpent()).isTrue();
    }

    /** A producer that was preempted between the two steps of an append holds up no other. */
    @Test
    void append_slotThatIsFilledBeforeTheHint_doesNotWait() throws ReflectiveOperationException {
        Field tasks = Chunk.class.getDeclaredField("tasks");
        tasks.setAccessible(true);
        requireNonNull((Object[]) tasks.get(chunk))[1] = TWO;

        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(chunk.append(THREE)).isTrue());
        assertThat(chunk.take()).isSameAs(ONE);
        assertThat(chunk.take()).isSameAs(TWO);
        assertThat(chunk.take()).isSameAs(THREE);
    }

    @Test
    void cutOutSpent_chainOfNodes_keepsThoseWithTasks() {
        Node oldest = new Node(ONE);
        Node middle = new Node(TWO);
        Node newest = new Node(THREE);
        middle.older = oldest;
        newest.older = middle;
        Node.cutOutSpent(newest);
        assertThat(newest.older).isSameAs(middle);
        assertThat(middle.older).isSameAs(oldest);

        assertThat(middle.take()).isSameAs(TWO);
        Node.cutOutSpent(newest);
        assertThat(newest.older).isSameAs(oldest);
    }

    @Test
    void nextCapacity_doublesUpToTheLargest() {
        Node node = new Node(ONE);
        int last = 0;
        for (int i = 0; i < 10; i++) {
            assertThat(node.nextCapacity()).isGreaterThanOrEqualTo(last);
            last = node.nextCapacity();
            node = new Chunk(ONE, last);
        }
        assertThat(last).isEqualTo(Chunk.LARGEST);
    }
}
