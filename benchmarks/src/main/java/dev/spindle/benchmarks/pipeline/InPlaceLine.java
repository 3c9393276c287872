// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import java.util.List;
import java.util.stream.Stream;

/** The limit: the publisher does the work of all stages itself. */
final class InPlaceLine implements Line {
    private final Event[] slots;
    private final Work[] works;
    private long next;

    InPlaceLine(List<Work> works, int ring) {
        this.works = works.toArray(Work[]::new);
        slots = Stream.generate(Event::new).limit(ring).toArray(Event[]::new);
    }

    @Override
    public void publish(Source source, int events) {
        for (int i = 0; i < events; i++) {
            Event event = slots[(int) (next++ & (slots.length - 1))];
            source.accept(event);
            for (Work work : works) {
                work.see(event);
            }
        }
    }

    @Override
    public void close() {}
}
