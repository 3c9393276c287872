// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.peers.Starter;
import dev.spindle.pipeline.Pipeline;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** An event for each slice, on its way to the stage that adds. */
final class PiOfEvents implements Pi.Calculator {
    private static final int RING = 16_384;

    private final Sum sum;
    private final Publish publish;
    private final Runnable ending;

    /** An event. */
    private static final class Slice {
        private int index;
        private double result;
    }

    private interface Publish {
        void slice(int index) throws InterruptedException;
    }

    /** The fields of the stage that adds; the publisher reads them when the last slice was added. */
    private static final class Sum {
        private double sum;
        private long added;
        private int slices;
        private CountDownLatch done = new CountDownLatch(0);

        /** Called by the publisher before the first event. */
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
    }

    private PiOfEvents(Sum sum, Publish publish, Runnable ending) {
        this.sum = sum;
        this.publish = publish;
        this.ending = ending;
    }

    /** A parallel stage of two strands, and a stage that adds. */
    static Pi.Calculator spindle(Pi.Series series) {
        Sum sum = new Sum();
        Spindle spindle = Crowds.spindle(Pi.WORKERS);
        dev.spindle.pipeline.EventHandler<Slice> add = sum::add;
        Pipeline<Slice> pipeline = Pipeline.builder(spindle, "pipeline", Slice::new)
                .capacity(RING)
                .singlePublisher(true)
                .parallelStage("compute", Pi.WORKERS, slice -> slice.result = series.slice(slice.index))
                .stage("add", add)
                .after("compute")
                .build();
        int[] next = new int[1];
        Consumer<Slice> fill = slice -> slice.index = next[0]; // one function for all events, allocated once
        return new PiOfEvents(
                sum,
                index -> {
                    next[0] = index;
                    pipeline.publish(fill);
                },
                () -> {
                    pipeline.close();
                    spindle.close();
                });
    }

    /** Two handlers that skip each other's events, and one that adds. */
    static Pi.Calculator disruptor(Pi.Series series) {
        Sum sum = new Sum();
        Disruptor<Slice> disruptor =
                new Disruptor<>(Slice::new, RING, Starter::daemon, ProducerType.SINGLE, new YieldingWaitStrategy());
        EventHandler<Slice> even = part(series, 0);
        EventHandler<Slice> odd = part(series, 1);
        EventHandler<Slice> add = (slice, sequence, endOfBatch) -> sum.add(slice);
        disruptor.handleEventsWith(even);
        disruptor.handleEventsWith(odd);
        disruptor.after(even, odd).handleEventsWith(add);
        RingBuffer<Slice> slots = disruptor.start();
        Publish publish = index -> {
            long sequence = slots.next();
            slots.get(sequence).index = index;
            slots.publish(sequence);
        };
        return new PiOfEvents(sum, publish, disruptor::halt);
    }

    private static EventHandler<Slice> part(Pi.Series series, int remainder) {
        return (slice, sequence, endOfBatch) -> {
            if (sequence % Pi.WORKERS == remainder) {
                slice.result = series.slice(slice.index);
            }
        };
    }

    @Override
    public Pi.Result sum(int slices) throws InterruptedException {
        sum.begin(slices);
        for (int index = 0; index < slices; index++) {
            publish.slice(index);
        }
        Waits.await(sum.done, "not all results were added");
        return new Pi.Result(sum.sum, sum.added);
    }

    @Override
    public void close() {
        ending.run();
    }
}
