// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import java.util.List;
import java.util.stream.IntStream;

/** The stages of a pipeline, each after those that it follows. */
record Shape(List<Place> places) {
    /**
     * A stage.
     *
     * @param depth the number of stages that an event has passed before
     * @param after the indexes of the stages that it follows; none if it follows the publisher
     */
    record Place(Role role, int depth, List<Integer> after) {}

    /** The work of a stage on an event, besides counting it. */
    enum Role {
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

    static Shape chain(int stages) {
        return new Shape(IntStream.range(0, stages)
                .mapToObj(stage -> new Place(Role.STEP, stage, stage == 0 ? List.of() : List.of(stage - 1)))
                .toList());
    }

    static Shape diamond() {
        return new Shape(List.of(
                new Place(Role.LEFT, 0, List.of()),
                new Place(Role.RIGHT, 0, List.of()),
                new Place(Role.JOIN, 1, List.of(0, 1))));
    }

    static Shape multicast(int stages) {
        return new Shape(IntStream.range(0, stages)
                .mapToObj(stage -> new Place(Role.LOOK, 0, List.of()))
                .toList());
    }

    /** Returns true if no stage follows this one. */
    boolean isEnd(int stage) {
        return places.stream().noneMatch(place -> place.after().contains(stage));
    }
}
