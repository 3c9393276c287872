// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.messaging.FailureReporter;
import dev.spindle.messaging.OwnTasks;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Passes the events that a halt has left to the drop handler. */
record DroppedEvents<E>(
        String pipeline,
        Ring<E> ring,
        List<Stage<E>> stages,
        @Nullable BiConsumer<? super E, ? super List<String>> handler) {
    /**
     * Passes the events with the given numbers to the drop handler. If there is none, logs their number if {@code logs}
     * is true.
     *
     * @param own true if the calling thread runs only this step, so that its interrupt status may be cleared
     */
    void pass(List<Long> numbers, boolean own, boolean logs) {
        if (handler == null) {
            if (logs && !numbers.isEmpty()) {
                log(numbers.size());
            }
            return;
        }
        for (long sequence : numbers) {
            OwnTasks.clearInterrupt(own);
            try {
                List<String> handled = stages.stream()
                        .filter(stage -> stage.hasHandled(sequence))
                        .map(Stage::name)
                        .toList();
                handler.accept(ring.event(sequence), handled);
            } catch (Throwable t) { // the remaining events must still be dropped
                OwnTasks.clearInterrupt(own);
                FailureReporter.report("pipeline " + pipeline, () -> {}, t);
            }
        }
    }

    private void log(int events) {
        System.getLogger("dev.spindle")
                .log(
                        System.Logger.Level.WARNING,
                        "pipeline " + pipeline + " was halted with " + events
                                + " events that were not handled; onDrop would have taken them");
    }
}
