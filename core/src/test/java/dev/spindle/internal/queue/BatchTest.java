// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchTest {
    private final Batch batch = new Batch("a", 4);

    @Test
    void poll_severalEntries_givesTheOldestFirst() {
        assertThat(batch.add("b")).isTrue();

        assertThat(batch.poll()).isEqualTo("a");
        assertThat(batch.poll()).isEqualTo("b");
        assertThat(batch.poll()).isNull();
    }

    @Test
    void add_noRoom_isRefused() {
        assertThat(batch.add("b") && batch.add("c") && batch.add("d")).isTrue();

        assertThat(batch.add("e")).isFalse();
    }

    @Test
    void add_heldAndNotYetEmpty_isFound() {
        assertThat(batch.poll()).isEqualTo("a");
        assertThat(batch.add("b")).isTrue();

        assertThat(batch.poll()).isEqualTo("b");
    }

    @Test
    void add_holderHasLetGo_isRefusedForEver() {
        assertThat(batch.poll()).isEqualTo("a");
        assertThat(batch.poll()).isNull();

        assertThat(batch.add("b")).isFalse();
        assertThat(batch.add("b")).isFalse();
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void take_wantedEntry_leavesTheOthersInOrder() {
        batch.add("b");
        batch.add("c");

        assertThat(batch.take("b"::equals)).isEqualTo("b");
        assertThat(batch.take("b"::equals)).isNull();
        assertThat(batch.estimatedCount(e -> true)).isEqualTo(2);
        assertThat(batch.poll()).isEqualTo("a");
        assertThat(batch.poll()).isEqualTo("c");
    }

    @Test
    void take_allThatIsThere_letsMoreBeAdded() {
        assertThat(batch.take(e -> true)).isEqualTo("a");
        assertThat(batch.isEmpty()).isTrue();

        assertThat(batch.add("b")).isTrue();

        assertThat(batch.isEmpty()).isFalse();
        assertThat(batch.poll()).isEqualTo("b");
    }

    @Test
    void nextCapacity_filledOrNot_growsAndShrinksWithinItsBounds() {
        assertThat(batch.nextCapacity()).as("not filled").isEqualTo(Batch.SMALLEST);
        assertThat(new Batch("a", 1).nextCapacity()).as("filled").isEqualTo(2);
        assertThat(filled(Batch.LARGEST).nextCapacity()).isEqualTo(Batch.LARGEST);
        assertThat(new Batch("a", Batch.LARGEST).nextCapacity()).isEqualTo(Batch.LARGEST / 2);
    }

    private static Batch filled(int capacity) {
        Batch batch = new Batch("a", capacity);
        while (batch.add("a")) {
            assertThat(batch.span()).isEqualTo(capacity);
        }
        return batch;
    }
}
