// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.pipeline.Pipeline;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An event for each slice, on its way to the stage that adds. */
final class PiOfEvents implements Pi.Calculator {
    private static final int RING = 16_384;
    private static final int PATIENCE_SECONDS = 60;

    private final Sum sum;
    private final Publish publish;
    private final Runnable ending;

    /** An event. */
    private static final class Slice {
        private final Pi.Series series;
        int index;
        double result;

        Slice(Pi.Series series) {
            this.series = series;
        }

        void compute() {
            result = series.slice(index);
        }
    }

    /** Gives an event its index: one for all events, so that none is made for each. */
    private static final class Filler implements Consumer<Slice> {
        private int index;

        @Override
        public void accept(Slice slice) {
            slice.index = index;
        }
    }

    /** Publishes the slice of this index. */
    private interface Publish {
        void slice(int index) throws InterruptedException;
    }

    /** What the stage that adds has, and the publisher reads when it has added the last. */
    private static final class Sum {
        private double sum;
        private long added;
        private int slices;
        private CountDownLatch done = new CountDownLatch(0);

        /** By the publisher, before it publishes the first. */
        void begin(int count) {
            sum = 0;
            added = 0;
            slices = count;
            done = new CountDownLatch(1);
        }

        void add(Slice slice) {
            sum += slice.result;
            if (++added == slices) {
                done.countDown();
            }
        }

        Pi.Result await() throws InterruptedException {
            if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new StalledException(
                        "not all of " + slices + " results were added after " + PATIENCE_SECONDS + " s");
            }
            return new Pi.Result(sum, added);
        }
    }

    private PiOfEvents(Sum sum, Publish publish, Runnable ending) {
        this.sum = sum;
        this.publish = publish;
        this.ending = ending;
    }

    static Pi.Calculator spindle(Pi.Series series) {
        Sum sum = new Sum();
        Spindle spindle = Spindle.builder().core(Pi.WORKERS).max(Pi.WORKERS).build();
        dev.spindle.pipeline.EventHandler<Slice> add = sum::add;
        Pipeline<Slice> pipeline = Pipeline.builder(spindle, () -> new Slice(series), RING)
                .singlePublisher()
                .parallel("compute", Pi.WORKERS, Slice::compute)
                .stage("add", add)
                .after("compute")
                .start();
        Filler filler = new Filler();
        return new PiOfEvents(
                sum,
                index -> {
                    filler.index = index;
                    pipeline.publish(filler);
                },
                () -> {
                    pipeline.close();
                    spindle.close();
                });
    }

    static Pi.Calculator disruptor(Pi.Series series) {
        Sum sum = new Sum();
        Disruptor<Slice> disruptor = new Disruptor<>(
                () -> new Slice(series), RING, DisruptorCrowd::daemon, ProducerType.SINGLE, new YieldingWaitStrategy());
        EventHandler<Slice> even = part(0);
        EventHandler<Slice> odd = part(1);
        EventHandler<Slice> add = (slice, sequence, endOfBatch) -> sum.add(slice);
        disruptor.handleEventsWith(even);
        disruptor.handleEventsWith(odd);
        disruptor.after(even, odd).handleEventsWith(add);
        RingBuffer<Slice> slots = disruptor.start();
        return new PiOfEvents(
                sum,
                index -> {
                    long sequence = slots.next();
                    slots.get(sequence).index = index;
                    slots.publish(sequence);
                },
                disruptor::halt);
    }

    private static EventHandler<Slice> part(int remainder) {
        return (slice, sequence, endOfBatch) -> {
            if (sequence % Pi.WORKERS == remainder) {
                slice.compute();
            }
        };
    }

    @Override
    public Pi.Result sum(int slices) throws InterruptedException {
        sum.begin(slices);
        for (int index = 0; index < slices; index++) {
            publish.slice(index);
        }
        return sum.await();
    }

    @Override
    public void close() {
        ending.run();
    }
}
