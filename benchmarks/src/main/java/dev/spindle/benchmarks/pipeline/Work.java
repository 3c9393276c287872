// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.forks.LatencyHistogram;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * What a stage does: its part of an event, and a tally of what it saw. All fields plain: one event at a time, and each
 * call sees what the one before did, is the pipeline's promise.
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
    void see(Event event) {
        long number = event.number;
        if (number != expected) {
            wrong++;
        }
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

    private void act(Event event, long number) {
        switch (place.role()) {
            case STEP -> {
                if (event.value != number + place.depth()) {
                    wrong++;
                }
                event.value++;
            }
            case LEFT -> event.left = number;
            case RIGHT -> event.right = number;
            case JOIN -> {
                if (event.left != number || event.right != number) {
                    wrong++;
                }
            }
            case LOOK -> {}
        }
    }

    /** Before a pass, by the publisher: what to do when the event with this number has come to an end. */
    void arm(long lastNumber, CountDownLatch whenSeen, @Nullable LatencyHistogram into) {
        last = lastNumber;
        done = whenSeen;
        delays = into;
    }

    /** Between passes: what is wrong after so many events since the beginning; begins to count anew. */
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
