// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.QueueScheduler;
import dev.spindle.internal.Tally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A table of one key for model checking, with tasks that check the promises of a lane and workers without threads. */
final class LaneHarness {
    private static final String KEY = "key";

    private final QueueScheduler scheduler = new QueueScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<Integer> ran = new ArrayList<>(); // plain: turns run one after the other
    private final ConcurrentLinkedQueue<Integer> returned = new ConcurrentLinkedQueue<>();

    LaneCore lane() {
        return keys.lane(KEY);
    }

    @Nullable
    LaneCore existing() {
        return keys.existing(KEY);
    }

    /** Submits as the executor does, to the successor of each dead lane. */
    void submit() {
        int number = accepted.incrementAndGet();
        LaneCore lane = lane();
        while (!lane.push(new Task(number))) {
            lane = LaneSpace.laneAfter(lane);
        }
    }

    /** Makes a submission pending, as the executor does. */
    void offer(CoalescingSubmission submission) {
        offer(null, submission);
    }

    /** Makes a submission pending in a slot, as the executor does. */
    void offer(@Nullable Object slot, CoalescingSubmission submission) {
        LaneCore lane = lane();
        while (lane.offer(slot, submission) == null) {
            lane = LaneSpace.laneAfter(lane);
        }
    }

    /** Runs one entry as a worker does. Returns false if there is none. */
    boolean work() {
        return scheduler.work();
    }

    void cancelPending() {
        LaneCore lane = existing();
        if (lane != null) {
            for (Runnable task : lane.cancelPending()) {
                if (task instanceof Task t) {
                    returned.add(t.number);
                }
            }
        }
    }

    void retire() {
        LaneCore lane = existing();
        if (lane != null) {
            lane.tryRetire();
        }
    }

    /** Runs all ready turns, then checks that no task was lost, run twice or left behind. */
    void validate() {
        while (work()) {}
        Set<Integer> ends = new HashSet<>(returned);
        for (int number : ran) {
            Tally.require(ends.add(number), "ran twice, or ran and was returned: " + number);
        }
        Tally.require(
                ends.size() == accepted.get(),
                "lost: " + accepted + " accepted, " + ran + " ran, " + returned + " returned");
        LaneCore lane = existing();
        Tally.require(lane == null || lane.isFree() || lane.isPaused(), "the lane has an owner that will never come");
    }

    /** A task that fails if another one of its lane runs at the same time. */
    private final class Task implements Runnable {
        private final int number;

        Task(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            Tally.require(running.getAndIncrement() == 0, "two tasks of one lane at the same time");
            ran.add(number);
            running.getAndDecrement();
        }
    }
}
