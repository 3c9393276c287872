// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Activity;
import dev.spindle.Unfinished;
import dev.spindle.internal.report.UnfinishedView;
import dev.spindle.messaging.FailureReporter;
import dev.spindle.messaging.OwnTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reports the events that a halt has left, and passes them to the drop handler. */
final class DroppedEvents<E> {
    /** The name of the stage that clears the events, if there is one. */
    static final String CLEAR = "clear";

    private final PublisherGate<E> gate;
    private final Ring<E> ring;
    private final List<Stage<E>> stages;
    private final boolean clears;
    private final @Nullable BiConsumer<? super E, ? super List<String>> handler;
    private volatile @Nullable Unfinished<E> left; // set when the stages have stopped
    private int count; // written before `left`

    /** Creates the reports for {@code stages}, in the order of the graph; {@code clears} if one clears the events. */
    DroppedEvents(
            PublisherGate<E> gate,
            Ring<E> ring,
            List<Stage<E>> stages,
            boolean clears,
            @Nullable BiConsumer<? super E, ? super List<String>> handler) {
        this.gate = gate;
        this.ring = ring;
        this.stages = stages;
        this.clears = clears;
        this.handler = handler;
    }

    /** Returns the number of events that not all end stages had passed when the stages stopped. */
    int count() {
        return left == null ? 0 : count;
    }

    /** Returns what a halt has left, even if a stage has not stopped; nothing after a drain. */
    Unfinished<E> unfinished() {
        Unfinished<E> there = left;
        if (there != null) {
            return there;
        }
        return gate.isHalted() ? report(gate.left(false), running()) : report(List.of(), List.of());
    }

    /** Returns a report of those events that some stage has not begun, by the first such stage. */
    private Unfinished<E> report(List<Long> numbers, List<Activity> running) {
        List<E> items = new ArrayList<>();
        List<String> owners = new ArrayList<>();
        for (long sequence : numbers) {
            stages.stream()
                    .filter(stage -> !(clears && stage.name().equals(CLEAR)) && !stage.covers(sequence))
                    .findFirst()
                    .ifPresent(stage -> {
                        items.add(ring.event(sequence));
                        owners.add(stage.toString());
                    });
        }
        return new UnfinishedView<>(List.copyOf(items), owners::get, running);
    }

    /** Returns the stages that handle an event now. */
    List<Activity> running() {
        return stages.stream().flatMap(stage -> stage.runs().stream()).toList();
    }

    /**
     * Records what a halt has left, and passes it to the drop handler. If there is none, logs the number of events if
     * {@code logs} is true. Called when the stages have stopped.
     *
     * @param own true if the calling thread runs only this step, so that its interrupt status may be cleared
     */
    void pass(boolean own, boolean logs) {
        List<Long> numbers = gate.left(true);
        count = numbers.size();
        left = report(numbers, List.of());
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
                FailureReporter.report("pipeline " + gate.name(), () -> {}, t);
            }
        }
    }

    private void log(int events) {
        System.getLogger("dev.spindle")
                .log(
                        System.Logger.Level.WARNING,
                        "pipeline " + gate.name() + " was halted with " + events
                                + " events that were not handled; onDrop would have taken them");
    }
}
