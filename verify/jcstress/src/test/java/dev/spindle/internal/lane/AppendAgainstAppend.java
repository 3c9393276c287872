// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two appends, and the hint that they leave, meet a third append and a taker that goes from left to right and stops at
 * the first empty slot: no slot before a filled one is empty, so all appended tasks are taken.
 */
@JCStressTest
@Outcome(
        id = {"2, 2", "3, 3", "4, 4"},
        expect = Expect.ACCEPTABLE,
        desc = "All tasks that were appended before the close are taken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is behind an empty slot, or was refused and taken.")
@State
public class AppendAgainstAppend {
    private final Chunk chunk = new Chunk(() -> {}, Chunk.SMALLEST);
    private int appended;
    private int taken;

    @Actor
    public void appendTwo() {
        appended += chunk.append(() -> {}) ? 1 : 0;
        appended += chunk.append(() -> {}) ? 1 : 0;
    }

    @Actor
    public void appendAndTake(II_Result result) {
        result.r1 = 1 + (chunk.append(() -> {}) ? 1 : 0);
        chunk.close();
        while (chunk.take() != null) {
            taken++;
        }
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 += appended;
        result.r2 = taken;
    }
}
