// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.measure.LatencyHistogram;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The work of a stage: its change of an event, and a ledger of the events that it handled. All fields are plain: the
 * pipeline promises one event at a time, and that each call sees the effects of the previous one.
 */
final class Work {
    private final Shape.Place place;
    private final boolean end;
    private long expected;
    private long count;
    private long sum;
    private long wrong;
    private long last = Long.MAX_VALUE;
    private CountDownLatch done = new CountDownLatch(0);
    private @Nullable LatencyHistogram delays;

    Work(Shape.Place place, boolean end) {
        this.place = place;
        this.end = end;
    }

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
        switch (place.role()) {
            case STEP -> {
                wrong += event.value == number + place.depth() ? 0 : 1;
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
        long missing = Math.abs(events - count);
        boolean sumIsWrong = sum != sumBelow(events);
        long found = wrong + missing + (sumIsWrong && missing == 0 ? 1 : 0);
        wrong = 0;
        count = events;
        sum = sumBelow(events);
        return found;
    }

    private static long sumBelow(long events) {
        return events % 2 == 0 ? events / 2 * (events - 1) : (events - 1) / 2 * events;
    }
}
