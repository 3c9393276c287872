// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broken pipeline is found out. */
@Tag("deep")
@Tag("once")
@Timeout(60)
class PipelineSubjectsTest {
    private static final int RING = 16;

    @Test
    void floor_stageLeftOut_isFoundOut() throws InterruptedException {
        // The stage in the middle does not get event 5.
        assertThat(broken(Shape.chain(3), (stage, number) -> stage != 1 || number != 5))
                .isPositive();
    }

    @Test
    void floor_eventDoubled_isFoundOut() throws InterruptedException {
        Line.Maker maker = (shape, works, ring) -> new PlainLine((event, number) -> {
            works.get(0).see(event);
            if (number == 5) {
                works.get(0).see(event);
            }
        });
        try (Floor floor = new Floor(maker, Shape.multicast(1), RING, false)) {
            assertThat(floor.run(100)).isPositive();
        }
    }

    @Test
    void floor_joinBeforeABranch_isFoundOut() throws InterruptedException {
        Line.Maker maker = (shape, works, ring) -> new PlainLine((event, number) -> {
            works.get(0).see(event);
            works.get(2).see(event);
            works.get(1).see(event);
        });
        try (Floor floor = new Floor(maker, Shape.diamond(), RING, false)) {
            assertThat(floor.run(100)).isPositive();
        }
    }

    @Test
    void floor_nothingWrong_isClean() throws InterruptedException {
        assertThat(broken(Shape.chain(3), (stage, number) -> true)).isZero();
    }

    /** Decides if a stage gets an event. */
    private interface Gets {
        boolean event(int stage, long number);
    }

    private static long broken(Shape shape, Gets gets) throws InterruptedException {
        Line.Maker maker = (of, works, ring) -> new PlainLine((event, number) -> {
            for (int stage = 0; stage < works.size(); stage++) {
                if (gets.event(stage, number)) {
                    works.get(stage).see(event);
                }
            }
        });
        try (Floor floor = new Floor(maker, shape, RING, false)) {
            return floor.run(100);
        }
    }

    /** The reaction of a line to an event. */
    private interface Handling {
        void handle(Line.Event event, long number);
    }

    /** A line on the publisher's thread. */
    private record PlainLine(Handling handling) implements Line {
        @Override
        public void publish(Line.Source source, int events) {
            for (int i = 0; i < events; i++) {
                Line.Event event = new Line.Event();
                event.left = -1;
                event.right = -1;
                source.accept(event);
                handling.handle(event, event.number);
            }
        }

        @Override
        public void close() {}
    }
}
