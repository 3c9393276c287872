// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Recorder.LatencyHistogram;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The work of a stage, which changes each event and counts the events. All fields are plain. A stage handles one event
 * at a time, and each call sees the effects of the previous call.
 */
final class Work {
    private final List<Integer> after;
    private final boolean end;
    private final Step step;
    private long expected;
    private long count;
    private long sum;
    private long wrong;
    private long last = Long.MAX_VALUE;
    private CountDownLatch done = new CountDownLatch(0);
    private @Nullable LatencyHistogram delays;

    private interface Step {
        /** Changes an event, and returns false if an earlier stage has not changed the event as it should. */
        boolean act(Line.Event event, long number);
    }

    private Work(List<Integer> after, boolean end, Step step) {
        this.after = after;
        this.end = end;
        this.step = step;
    }

    /** Each stage adds one, and checks that each earlier stage has added one. */
    static List<Work> chain(int stages) {
        return IntStream.range(0, stages)
                .mapToObj(stage -> new Work(
                        stage == 0 ? List.of() : List.of(stage - 1),
                        stage == stages - 1,
                        (event, number) -> event.value++ == number + stage))
                .toList();
    }

    /** The last stage checks that both branches have written their fields. */
    static List<Work> diamond() {
        return List.of(
                new Work(List.of(), false, (event, number) -> (event.left = number) == number),
                new Work(List.of(), false, (event, number) -> (event.right = number) == number),
                new Work(List.of(0, 1), true, (event, number) -> event.left == number && event.right == number));
    }

    static List<Work> multicast(int stages) {
        return IntStream.range(0, stages)
                .mapToObj(stage -> new Work(List.of(), true, (event, number) -> true))
                .toList();
    }

    /** Returns the indexes of the stages that this stage follows; empty if this stage follows the publisher. */
    List<Integer> after() {
        return after;
    }

    boolean isEnd() {
        return end;
    }

    void see(Line.Event event) {
        long number = event.number;
        wrong += number == expected ? 0 : 1;
        expected = number + 1;
        count++;
        sum += number;
        wrong += step.act(event, number) ? 0 : 1;
        if (end) {
            if (delays != null) {
                delays.record(System.nanoTime() - event.publishedAt);
            }
            if (number == last) {
                done.countDown();
            }
        }
    }

    /** Sets the last event of a pass, and the latch that is counted down after it; called by the publisher. */
    void announce(long lastNumber, CountDownLatch whenSeen, @Nullable LatencyHistogram into) {
        last = lastNumber;
        done = whenSeen;
        delays = into;
    }

    /**
     * Returns the number of violations after {@code events} events in total, and resets the counts. The method is
     * called between passes.
     */
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
