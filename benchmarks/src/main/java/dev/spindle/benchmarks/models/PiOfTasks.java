// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.peers.Actors;
import dev.spindle.benchmarks.peers.Pools;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/** A task or a message for each slice. The thread that submits naps while too many are under way. */
final class PiOfTasks implements Pi.Calculator {
    static final int UNDER_WAY = 16_384;
    private static final int BETWEEN_LOOKS = 256;
    private static final long NAP_NANOS = 20_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Supplier<? extends Adder> adders;
    private final Submit submit;
    private final Runnable ending;

    /** Hands a slice over, whose result must come to the adder. */
    interface Submit {
        void slice(int index, Adder adder);
    }

    PiOfTasks(Supplier<? extends Adder> adders, Submit submit, Runnable ending) {
        this.adders = adders;
        this.submit = submit;
        this.ending = ending;
    }

    /** Tasks of Spindle's pool, and a strand that adds. */
    static Pi.Calculator spindle(Pi.Series series) {
        Spindle spindle = Spindle.builder().core(Pi.WORKERS).max(Pi.WORKERS).build();
        Strand strand = spindle.strand("adder");
        return new PiOfTasks(
                Adder.Serial::new,
                (index, adder) -> spindle.execute(() -> {
                    double result = series.slice(index);
                    strand.execute(() -> adder.add(result));
                }),
                spindle::close);
    }

    /** Tasks of a pool that add to a shared sum. */
    static Pi.Calculator.Maker pool(Supplier<ExecutorService> pools) {
        return series -> pool(series, pools.get());
    }

    private static Pi.Calculator pool(Pi.Series series, ExecutorService pool) {
        return new PiOfTasks(
                Adder.Shared::new,
                (index, adder) -> pool.execute(() -> adder.add(series.slice(index))),
                () -> Pools.close(pool));
    }

    /** Actors that take slices in turn, and an actor that adds. */
    static Pi.Calculator pekko(Pi.Series series) {
        Actors actors = new Actors(Pi.WORKERS, Actors.HIGH_THROUGHPUT);
        ActorRef adding = actors.actor(Props.create(AddingActor.class, AddingActor::new));
        ActorRef[] workers = new ActorRef[Pi.WORKERS];
        Arrays.setAll(
                workers,
                none -> actors.actor(Props.create(SlicingActor.class, () -> new SlicingActor(series, adding))));
        return new PiOfTasks(
                Adder.Serial::new,
                (index, adder) -> workers[index % workers.length].tell(new Slice(index, adder), ActorRef.noSender()),
                actors::close);
    }

    @Override
    public Pi.Result sum(int slices) {
        Adder adder = adders.get();
        for (int index = 0; index < slices; index++) {
            if (index % BETWEEN_LOOKS == 0) {
                await(adder, index - UNDER_WAY);
            }
            submit.slice(index, adder);
        }
        await(adder, slices);
        return new Pi.Result(adder.sum(), adder.added());
    }

    private static void await(Adder adder, long wanted) {
        long start = System.nanoTime();
        while (adder.added() < wanted) {
            LockSupport.parkNanos(NAP_NANOS);
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new StalledException(adder.added() + " of " + wanted + " results were added after a minute");
            }
        }
    }

    @Override
    public void close() {
        ending.run();
    }

    record Slice(int index, Adder adder) {}

    record Addend(double result, Adder adder) {}

    private static final class SlicingActor extends AbstractActor {
        private final Pi.Series series;
        private final ActorRef adding;

        SlicingActor(Pi.Series series, ActorRef adding) {
            this.series = series;
            this.adding = adding;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(
                            Slice.class,
                            slice -> adding.tell(
                                    new Addend(series.slice(slice.index()), slice.adder()), ActorRef.noSender()))
                    .build();
        }
    }

    private static final class AddingActor extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Addend.class, addend -> addend.adder().add(addend.result()))
                    .build();
        }
    }
}
