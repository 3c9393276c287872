// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.Spindle;
import dev.spindle.pipeline.EventHandler;
import dev.spindle.pipeline.Pipeline;
import dev.spindle.pipeline.PipelineBuilder;
import java.util.Collections;
import java.util.List;

/** Stages that are strands of one pool; published one by one, or several at a time. */
final class SpindleLine implements Line {
    private final Spindle spindle;
    private final Pipeline<Event> pipeline;
    private final int batch;

    SpindleLine(Shape shape, List<Work> works, int ring, boolean single, int batch) {
        this.batch = batch;
        int workers = Math.max(2, Runtime.getRuntime().availableProcessors());
        spindle = Spindle.builder().core(workers).max(workers).build();
        PipelineBuilder<Event> builder = Pipeline.builder(spindle, Event::new, ring);
        if (single) {
            builder.singlePublisher();
        }
        for (int stage = 0; stage < works.size(); stage++) {
            EventHandler<Event> handler = works.get(stage)::see;
            builder.stage(name(stage), handler);
            List<Integer> after = shape.places().get(stage).after();
            if (after.isEmpty()) {
                builder.afterPublish();
            } else {
                builder.after(after.stream().map(SpindleLine::name).toArray(String[]::new));
            }
        }
        pipeline = builder.start();
    }

    @Override
    public void publish(Source source, int events) throws InterruptedException {
        if (batch == 1) {
            for (int i = 0; i < events; i++) {
                pipeline.publish(source);
            }
            return;
        }
        for (int left = events; left > 0; left -= batch) {
            pipeline.publishAll(SpindleLine::fill, Collections.nCopies(Math.min(batch, left), source));
        }
    }

    @Override
    public void close() {
        pipeline.close();
        spindle.close();
    }

    private static void fill(Event event, Source source) {
        source.accept(event);
    }

    private static String name(int stage) {
        return "stage-" + stage;
    }
}
