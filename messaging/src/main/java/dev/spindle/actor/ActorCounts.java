// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Stats;
import dev.spindle.internal.report.Figures;
import java.util.concurrent.atomic.LongAdder;

/** Counts of an actor, or of all actors of a group. An actor has an object of this class after its first such event. */
final class ActorCounts {
    final LongAdder failed = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder overdrafts = new LongAdder();

    /** The number of superseded messages of an actor, or of the actors of a group that have ended. */
    final LongAdder superseded = new LongAdder();

    /** Returns these counts and the given ones. */
    Stats stats(String name, long handled, long replaced, long pending, int running, int capacity, int most) {
        long gone = dropped.sum();
        return new Figures(
                name,
                handled + running + pending + gone + replaced,
                handled,
                failed.sum(),
                0,
                gone,
                replaced,
                overdrafts.sum(),
                pending,
                running,
                capacity,
                most);
    }
}
