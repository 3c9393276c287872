// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.SchedulerStub;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.atomic.AtomicInteger;

/** A scheduler without threads: it counts how often its one entry was made ready, and the actors run the turns. */
public final class CountingScheduler extends SchedulerStub {
    private final AtomicInteger readies = new AtomicInteger();
    private final LaneTable table = new LaneTable(this, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));

    /** Returns the table of its lanes. */
    public LaneTable table() {
        return table;
    }

    /** Returns the space of its lanes. */
    public LaneSpace keys() {
        return keys;
    }

    /** Returns a new lane. */
    public LaneCore lane() {
        return keys.lane("key");
    }

    /** Returns how often the lane was made ready without a turn since. */
    public int readies() {
        return readies.get();
    }

    /** Takes the lane if it is ready; the caller then runs a turn. */
    public boolean take() {
        int now = readies.get();
        return now > 0 && readies.compareAndSet(now, now - 1);
    }

    /** Runs turns until the entry is no longer ready. */
    public void drain(ReadyEntry entry) {
        while (take()) {
            entry.turn(new WorkerContext(this, Long.MAX_VALUE));
        }
    }

    @Override
    public void ready(Object entry) {
        readies.incrementAndGet();
    }
}
