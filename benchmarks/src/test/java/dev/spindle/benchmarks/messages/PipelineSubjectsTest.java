// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broken pipeline is found out. */
@Tag("deep")
@Tag("once")
@Timeout(60)
class PipelineSubjectsTest {
    /** A hand-over of an event to stages, on the publisher's thread. */
    private interface Handling {
        void handle(List<Work> works, Line.Event event);
    }

    private static long violations(List<Work> works, Handling handling) throws InterruptedException {
        Line.Publish publish = (source, events) -> {
            for (int i = 0; i < events; i++) {
                Line.Event event = new Line.Event();
                event.left = -1;
                event.right = -1;
                source.accept(event);
                handling.handle(works, event);
            }
        };
        return new Floor((all, ring) -> new Line(publish, () -> {}), works, 16, false).run(100);
    }

    @Test
    void floor_stageLeftOutOrEventDoubled_isFoundOut() throws InterruptedException {
        assertThat(violations(Work.chain(3), (works, event) -> works.forEach(work -> work.see(event))))
                .isZero();
        assertThat(violations(Work.chain(3), (works, event) -> {
                    works.get(0).see(event);
                    if (event.number != 5) {
                        works.get(1).see(event);
                    }
                    works.get(2).see(event);
                }))
                .isPositive();
        assertThat(violations(Work.multicast(1), (works, event) -> {
                    works.get(0).see(event);
                    if (event.number == 5) {
                        works.get(0).see(event);
                    }
                }))
                .isPositive();
    }

    @Test
    void floor_joinBeforeABranch_isFoundOut() throws InterruptedException {
        assertThat(violations(Work.diamond(), (works, event) -> {
                    works.get(0).see(event);
                    works.get(2).see(event);
                    works.get(1).see(event);
                }))
                .isPositive();
    }
}
