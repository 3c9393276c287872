// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.nustaq.kontraktor.Actor;
import org.nustaq.kontraktor.Actors;
import org.nustaq.kontraktor.impl.SimpleScheduler;

/**
 * Kontraktor's actors take slices in turn, each on a thread of its own, and one on the first of these threads adds.
 */
@SuppressWarnings("serial") // every actor of Kontraktor's claims to be serializable
public final class PiOfKontraktor {
    private PiOfKontraktor() {}

    static Pi.Calculator of(Pi.Series series) {
        List<SimpleScheduler> threads = new ArrayList<>();
        for (int i = 0; i < Pi.WORKERS; i++) {
            threads.add(new SimpleScheduler(2 * PiOfTasks.UNDER_WAY));
        }
        Adding adding = Actors.AsActor(Adding.class, threads.get(0));
        List<Slicing> workers = new ArrayList<>();
        for (SimpleScheduler thread : threads) {
            Slicing worker = Actors.AsActor(Slicing.class, thread);
            worker.begin(series, adding);
            workers.add(worker);
        }
        return new PiOfTasks(
                Adder.Serial::new,
                (index, adder) -> workers.get(index % workers.size()).slice(index, adder),
                () -> {
                    workers.forEach(Actor::stop);
                    adding.stop();
                });
    }

    /** Public, with methods that return nothing: each call of one is a message. */
    public static class Slicing extends Actor<Slicing> {
        private Pi.@Nullable Series series;
        private @Nullable Adding adding;

        public void begin(Pi.Series of, Adding to) {
            series = of;
            adding = to;
        }

        public void slice(int index, Adder adder) {
            if (series != null && adding != null) {
                adding.add(series.slice(index), adder);
            }
        }
    }

    /** As {@link Slicing}. */
    public static class Adding extends Actor<Adding> {
        public void add(double result, Adder adder) {
            adder.add(result);
        }
    }
}
