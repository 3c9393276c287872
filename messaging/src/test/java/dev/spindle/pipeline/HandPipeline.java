// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The lanes of a pipeline that a test runs by hand, by the names of the stages. */
final class HandPipeline {
    private final Map<String, HandLane> lanes = new LinkedHashMap<>();

    /** Returns a builder of a pipeline named {@code hand}, of {@code size} slots with an {@code int} each. */
    PipelineBuilder<int[]> builder(int size) {
        return new PipelineBuilder<>(this::made, "hand", () -> new int[1]).capacity(size);
    }

    private HandLane made(String name) {
        return lanes.computeIfAbsent(name, HandLane::new);
    }

    HandLane lane(String stage) {
        return Objects.requireNonNull(lanes.get("hand/" + stage), stage);
    }

    /** Runs all lanes until none has a task. */
    void run() {
        boolean ran = true;
        while (ran) {
            ran = false;
            for (HandLane lane : lanes.values()) {
                ran |= lane.runOne();
            }
        }
        lanes.values().forEach(HandLane::run); // completes the stages that wait for the end
    }
}
