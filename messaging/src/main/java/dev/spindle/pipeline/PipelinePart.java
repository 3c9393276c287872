// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.WaitList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** A pipeline and its stages, as reports list them. */
final class PipelinePart<E> implements SpindlePart {
    private final Pipeline<E> pipeline;
    private final List<Stage<E>> stages;
    private final List<Stage<E>> lasts;
    private final PublisherGate<E> gate;

    PipelinePart(Pipeline<E> pipeline, List<Stage<E>> stages, List<Stage<E>> lasts, PublisherGate<E> gate) {
        this.pipeline = pipeline;
        this.stages = stages;
        this.lasts = lasts;
        this.gate = gate;
    }

    @Override
    public void listFigures(FigureList list) {
        if (!pipeline.hasEnded()) {
            list.add(Kind.PIPELINE, null, pipeline.stats());
            stages.forEach(stage -> list.add(Kind.STAGE, gate.name(), stage.stats(false)));
        }
    }

    @Override
    public void listWaits(WaitList list) {
        stages.forEach(stage -> stage.actsIn(list));
        gate.listWaits(Collections.min(lasts, Comparator.comparingLong(stage -> stage.done.get())), list);
    }
}
