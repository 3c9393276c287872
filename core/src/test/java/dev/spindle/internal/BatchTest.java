// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static final Runnable ONE = new Task();
    private static final Runnable TWO = new Task();
    private static final Runnable THREE = new Task();

    private static final class Task implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("a batch runs nothing");
        }
    }

    @Test
    void take_chainOfNodes_givesTheOldestFirstThenNull() {
        Batch batch = batch(chain(new Node(ONE), new Node(TWO), new Node(THREE)));

        assertThat(batch.estimatedDepth()).isEqualTo(3);
        assertThat(batch.take()).isSameAs(ONE);
        assertThat(batch.take()).isSameAs(TWO);
        assertThat(batch.isSpent()).isFalse();
        assertThat(batch.take()).isSameAs(THREE);
        assertThat(batch.isSpent()).isTrue();
        assertThat(batch.take()).isNull();
    }

    @Test
    void take_withdrawnNodes_arePassed() {
        Node second = new Node(TWO);
        second.withdraw();

        Batch batch = batch(chain(new Node(ONE), second, new Node(THREE)));
        assertThat(batch.take()).isSameAs(ONE);
        assertThat(batch.take()).isSameAs(THREE);
    }

    @Test
    void takeAll_afterTheOwnerTookSome_givesTheRestInOrderAndLeavesNone() {
        Batch batch = batch(chain(new Node(ONE), new Node(TWO), new Node(THREE)));
        batch.take();
        List<Runnable> taken = new ArrayList<>();
        batch.takeAll(taken);

        assertThat(taken).containsExactly(TWO, THREE);
        assertThat(batch.take()).isNull();
        assertThat(batch.isSpent()).isTrue();
    }

    @Test
    void first_thenTake_movesOnOnlyIfNobodyWasFaster() {
        Batch batch = batch(chain(new Node(ONE), new Node(TWO)));
        assertThat(batch.first()).isSameAs(ONE);
        assertThat(batch.take(ONE)).isTrue();
        assertThat(batch.first()).isSameAs(TWO);
        batch.takeAll(new ArrayList<>());

        assertThat(batch.take(TWO)).isFalse();
        assertThat(batch.first()).isNull();
    }

    @Test
    void isFirstPending_markersAndWithdrawnNodes_keepNothing() {
        BoundedNode bounded = new BoundedNode(ONE, null, null);
        assertThat(batch(chain(bounded)).isFirstPending()).isTrue();
        assertThat(batch(chain(new Node(ONE))).isFirstPending()).isTrue();

        Batch batch = batch(chain(bounded));
        bounded.withdraw();
        assertThat(batch.isFirstPending()).isFalse();
        assertThat(batch(chain(new MarkerNode(ONE))).isFirstPending()).isFalse();
    }

    @Test
    void withRoomFor_deepChainThatWasCut_countsItsNodes() {
        Node newest = chain(new Node(ONE), new BoundedNode(TWO, null, null));
        newest.depth = 1_000_000;
        Batch batch = Batch.withRoomFor(newest);

        assertThat(batch.hasRoomFor(3)).isTrue();
        assertThat(batch.hasRoomFor(100)).isFalse();
        batch.fill(newest);
        assertThat(batch.take()).isSameAs(ONE);
    }

    private static Batch batch(Node newest) {
        Batch batch = Batch.withRoomFor(newest);
        batch.fill(newest);
        return batch;
    }

    /** Links nodes, the oldest given first, as pushes do. */
    private static Node chain(Node... nodes) {
        @Nullable Node newest = null;
        for (Node node : nodes) {
            node.older = newest;
            node.depth = newest == null ? 1 : newest.depth + 1;
            newest = node;
        }
        return nodes[nodes.length - 1];
    }
}
