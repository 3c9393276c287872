// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A worker adds to its batch and takes from it, while another empties and releases it (Batch-2, Batch-3). */
@JCStressTest
@Outcome(id = "3, 6", expect = Expect.ACCEPTABLE, desc = "Each entry was taken or refused once, with its plain data.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An entry is lost, taken twice, or its data is not visible.")
@State
public class AddAgainstHold {
    private final Batch batch = new Batch(new Item(1), 3);
    private final int[] count = new int[2];
    private final int[] sum = new int[2];

    @Actor
    public void add() {
        for (int i = 2; i <= 3; i++) {
            Item item = new Item(i);
            if (!batch.add(item)) {
                note(0, item);
            }
        }
        note(0, batch.take(e -> true));
    }

    @Actor
    public void hold() {
        for (Object entry = batch.poll(); entry != null; entry = batch.poll()) {
            note(1, entry);
        }
    }

    @Arbiter
    public void all(II_Result result) {
        result.r1 = count[0] + count[1];
        result.r2 = sum[0] + sum[1];
    }

    private void note(int actor, @Nullable Object entry) {
        if (entry instanceof Item item) {
            count[actor]++;
            sum[actor] += item.value;
        }
    }

    /** An entry with a plain field. */
    private static final class Item {
        int value;

        Item(int value) {
            this.value = value;
        }
    }
}
