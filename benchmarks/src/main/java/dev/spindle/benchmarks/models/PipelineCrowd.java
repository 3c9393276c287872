// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.Spindle;
import dev.spindle.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Spindle's pipelines of one stage, with a ring of 1,024, for any number of publishers. Members tell nobody. */
final class PipelineCrowd implements Crowd {
    private static final int RING = 1_024;
    private final Spindle spindle;
    private final List<Pipeline<Slot>> pipelines = new ArrayList<>();

    PipelineCrowd(int members, int threads) {
        spindle = Spindle.builder().core(threads).max(threads).build();
    }

    private static final class Slot {
        private Object message = "";

        void fill(Object with) {
            message = with;
        }
    }

    @Override
    public Member member(Behaviour behaviour) {
        Pipeline<Slot> pipeline = Pipeline.builder(spindle, Slot::new, RING)
                .stage("handle", slot -> behaviour.receive(slot.message, PipelineCrowd::refuse))
                .start();
        pipelines.add(pipeline);
        BiConsumer<Slot, Object> fill = Slot::fill;
        return message -> pipeline.publish(fill, message);
    }

    private static void refuse(Member to, Object message) {
        throw new IllegalStateException("a stage passes its event on, and tells nobody");
    }

    @Override
    public void close() {
        pipelines.forEach(Pipeline::close);
        spindle.close();
    }
}
