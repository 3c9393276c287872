// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The snippets of docs/models.md, which contains the lines between the marker comments verbatim. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // as users write it
class ModelsSnippetTest {
    private static final int SLICES = 10_000;

    // snippet: models-program
    /** A slice of Pi: a hundred terms of a series. */
    static double compute(int slice) {
        double part = 0;
        for (int term = slice * 100; term < (slice + 1) * 100; term++) {
            part += 4.0 * (1 - term % 2 * 2) / (2 * term + 1);
        }
        return part;
    }

    /** Adds up parts, which must come one after the other: plain fields, no lock. */
    static class Sum {
        final CompletableFuture<Double> total = new CompletableFuture<>();
        private double sum;
        private int added;

        void add(double part) {
            sum += part;
            if (++added == SLICES) {
                total.complete(sum);
            }
        }
    }
    // end

    private static void assertPi(Sum sum) {
        assertThat(result(sum.total)).isCloseTo(Math.PI, within(1e-5));
    }

    @Test
    void tasks_andAStrandThatAdds_computePi() {
        Sum sum = new Sum();
        try (Spindle spindle = Spindle.create()) {
            // snippet: models-tasks
            Strand adder = spindle.strand("adder");
            for (int i = 0; i < SLICES; i++) {
                int slice = i;
                spindle.execute(() -> {
                    double part = compute(slice);
                    adder.execute(() -> sum.add(part));
                });
            }
            // end
            assertPi(sum);
        }
    }

    @Test
    void actors_andAnotherThatAdds_computePi() throws Exception {
        Sum sum = new Sum();
        try (Spindle spindle = Spindle.create();
                Actors actors = Actors.create(spindle)) {
            // snippet: models-actors
            ActorRef<Double> adder = actors.actor("adder", () -> (part, self) -> sum.add(part));
            List<ActorRef<Integer>> workers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                workers.add(actors.actor("worker-" + i, () -> (slice, self) -> self.tell(adder, compute(slice))));
            }
            for (int slice = 0; slice < SLICES; slice++) {
                workers.get(slice % 2).send(slice); // waits while the mailbox is full
            }
            // end
            assertPi(sum);
        }
    }

    @Test
    void channels_toTasksAndToAStrandThatAdds_computePi() throws Exception {
        Sum sum = new Sum();
        try (Spindle spindle = Spindle.create()) {
            // snippet: models-channels
            Channel<Integer> slices = Channel.buffered("slices", 1_024);
            Channel<Double> parts = Channel.buffered("parts", 1_024);
            for (int i = 0; i < 2; i++) {
                slices.forEach(spindle.strand("worker-" + i), slice -> parts.sendAsync(compute(slice)));
            }
            parts.forEach(spindle.strand("adder"), sum::add);
            for (int slice = 0; slice < SLICES; slice++) {
                slices.send(slice); // waits while there is no room
            }
            // end
            assertPi(sum);
        }
    }

    /** An event. */
    private static final class Slice {
        private int index;
        private double part;
    }

    @Test
    void pipeline_ofAParallelStageAndOneThatAdds_computesPi() throws Exception {
        Sum sum = new Sum();
        try (Spindle spindle = Spindle.create()) {
            // snippet: models-pipeline
            Pipeline<Slice> slices = Pipeline.builder(spindle, "slices", Slice::new)
                    .capacity(1_024)
                    .parallelStage("compute", 2, slice -> slice.part = compute(slice.index))
                    .stage("add", slice -> sum.add(slice.part))
                    .build();
            for (int i = 0; i < SLICES; i++) {
                int index = i;
                slices.publish(slice -> slice.index = index); // waits while the ring is full
            }
            // end
            assertPi(sum);
            slices.close();
        }
    }
}
