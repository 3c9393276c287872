// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.measure.LatencyHistogram;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The work of a stage: its change of an event, and a ledger of the events that it handled. All fields are plain: the
 * pipeline promises one event at a time, and that each call sees the effects of the previous one.
 */
final class Work {
    private final Role role;
    private final int depth;
    private final List<Integer> after;
    private final boolean end;
    private long expected;
    private long count;
    private long sum;
    private long wrong;
    private long last = Long.MAX_VALUE;
    private CountDownLatch done = new CountDownLatch(0);
    private @Nullable LatencyHistogram delays;

    /** The work of a stage on an event, besides counting it. */
    private enum Role {
        /** Adds one, and checks that each earlier stage added one. */
        STEP,
        /** Writes the left field. */
        LEFT,
        /** Writes the right field. */
        RIGHT,
        /** Checks that both fields were written. */
        JOIN,
        /** Reads the event. */
        LOOK
    }

    private Work(Role role, int depth, List<Integer> after, boolean end) {
        this.role = role;
        this.depth = depth;
        this.after = after;
        this.end = end;
    }

    static List<Work> chain(int stages) {
        return IntStream.range(0, stages)
                .mapToObj(stage ->
                        new Work(Role.STEP, stage, stage == 0 ? List.of() : List.of(stage - 1), stage == stages - 1))
                .toList();
    }

    static List<Work> diamond() {
        return List.of(
                new Work(Role.LEFT, 0, List.of(), false),
                new Work(Role.RIGHT, 0, List.of(), false),
                new Work(Role.JOIN, 1, List.of(0, 1), true));
    }

    static List<Work> multicast(int stages) {
        return IntStream.range(0, stages)
                .mapToObj(stage -> new Work(Role.LOOK, 0, List.of(), true))
                .toList();
    }

    /** Returns the indexes of the stages that it follows; none if it follows the publisher. */
    List<Integer> after() {
        return after;
    }

    /** Returns true if no stage follows this one. */
    boolean isEnd() {
        return end;
    }

    /** Handles an event. */
    void see(Line.Event event) {
        long number = event.number;
        wrong += number == expected ? 0 : 1;
        expected = number + 1;
        count++;
        sum += number;
        act(event, number);
        if (end) {
            if (delays != null) {
                delays.record(System.nanoTime() - event.publishedAt);
            }
            if (number == last) {
                done.countDown();
            }
        }
    }

    private void act(Line.Event event, long number) {
        switch (role) {
            case STEP -> {
                wrong += event.value == number + depth ? 0 : 1;
                event.value++;
            }
            case LEFT -> event.left = number;
            case RIGHT -> event.right = number;
            case JOIN -> wrong += event.left == number && event.right == number ? 0 : 1;
            case LOOK -> {}
        }
    }

    /** Sets the last event of a pass, and the latch that is counted down after it; called by the publisher. */
    void announce(long lastNumber, CountDownLatch whenSeen, @Nullable LatencyHistogram into) {
        last = lastNumber;
        done = whenSeen;
        delays = into;
    }

    /** Returns the violations among a number of events, and resets the count; called between passes. */
    long violations(long events) {
        long sumOfAll = events % 2 == 0 ? events / 2 * (events - 1) : (events - 1) / 2 * events;
        long missing = Math.abs(events - count);
        long found = wrong + missing + (sum != sumOfAll && missing == 0 ? 1 : 0);
        wrong = 0;
        count = events;
        sum = sumOfAll;
        return found;
    }
}
