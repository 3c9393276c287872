// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.Spindle;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import java.util.ArrayList;
import java.util.List;

/** Spindle's actors take slices in turn, and an actor adds what they tell it. */
final class PiOfActors {
    private PiOfActors() {}

    static Pi.Calculator of(Pi.Series series) {
        Spindle spindle = Spindle.builder().core(Pi.WORKERS).max(Pi.WORKERS).build();
        Actors actors = Actors.create(spindle);
        int capacity = 2 * PiOfTasks.UNDER_WAY; // so that the submitter's own limit is the one that holds, as for all
        ActorRef<PiOfTasks.Addend> adding = actors.<PiOfTasks.Addend>actor(
                        "adder", () -> (addend, self) -> addend.adder().add(addend.result()))
                .capacity(capacity)
                .start();
        List<ActorRef<PiOfTasks.Slice>> workers = new ArrayList<>();
        for (int i = 0; i < Pi.WORKERS; i++) {
            workers.add(actors.<PiOfTasks.Slice>actor(
                            "worker-" + i,
                            () -> (slice, self) ->
                                    self.tell(adding, new PiOfTasks.Addend(series.slice(slice.index()), slice.adder())))
                    .capacity(capacity)
                    .start());
        }
        return new PiOfTasks(
                Adder.Serial::new,
                (index, adder) -> {
                    if (!workers.get(index % workers.size()).offer(new PiOfTasks.Slice(index, adder))) {
                        throw new IllegalStateException("no room for slice " + index);
                    }
                },
                () -> {
                    actors.close();
                    spindle.close();
                });
    }
}
