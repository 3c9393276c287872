// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.executors.Pools;
import dev.spindle.benchmarks.executors.SerialExecutors;
import dev.spindle.pipeline.Pipeline;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Computes pi as the sum of many slices of a series; the results are added in one place. The submitting thread sleeps
 * while too many slices are in progress.
 */
final class Pi implements Subject {
    static final Figure TIME = Figure.less("ms", "ms");
    static final int WORKERS = 2;
    private static final double ROUNDING = 1e-9;
    private static final int UNDER_WAY = 16_384;
    private static final int BETWEEN_LOOKS = 256;
    private static final long NAP_NANOS = 20_000;
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private final Calculator calculator;
    private final Series series;
    private final int slices;

    /** One way to compute the sum: the adder, the submission of the slices, and the action that stops the threads. */
    record Calculator(Adder adder, Submit submit, Runnable ending) {}

    interface Maker {
        Calculator of(Series series);
    }

    /** Submits either all slices or the slice with the given index. The results are passed to the adder. */
    private interface Submit {
        void slices(int number) throws InterruptedException;
    }

    Pi(Maker maker, Series series, Scale scale) {
        this.series = series;
        calculator = maker.of(series);
        slices = scale.of(series.slices(), 1_000);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        Adder adder = calculator.adder;
        adder.reset();
        recorder.begin();
        calculator.submit.slices(slices);
        await(adder, slices);
        double sum = adder.sum();
        recorder.value(TIME, recorder.end(slices) / 1e6);
        // The error of the series is less than its first omitted term.
        boolean near = Math.abs(sum - Math.PI) <= 4.0 / (2.0 * slices * series.terms()) + ROUNDING;
        recorder.violations(Math.abs(slices - adder.added()) + (near ? 0 : 1));
    }

    /** Returns a submission of all slices, one after another. */
    private static Submit each(Adder adder, Submit slice) {
        return slices -> {
            for (int index = 0; index < slices; index++) {
                if (index % BETWEEN_LOOKS == 0) {
                    await(adder, index - UNDER_WAY);
                }
                slice.slices(index);
            }
        };
    }

    private static void await(Adder adder, long wanted) {
        long start = System.nanoTime();
        while (adder.added() < wanted) {
            LockSupport.parkNanos(NAP_NANOS);
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new StalledException(adder.added() + " of " + wanted + " results were added after a minute");
            }
        }
    }

    @Override
    public void close() {
        calculator.ending.run();
    }

    /** A series that is split into slices. */
    record Series(int slices, int terms) {
        static final Series SMALL = new Series(1_000_000, 100);
        static final Series LARGE = new Series(100_000, 1_000);

        double slice(int index) {
            double sum = 0;
            int end = (index + 1) * terms;
            for (int term = index * terms; term < end; term++) {
                sum += 4.0 * (1 - (term & 1) * 2) / (2 * term + 1);
            }
            return sum;
        }
    }

    /**
     * Adds up the results. If {@code shared} is true, several threads may add at once; otherwise a strand, an actor or
     * a stage serializes the calls.
     */
    private static final class Adder {
        private final boolean shared;
        private final LongAdder sharedCount = new LongAdder();
        private final DoubleAdder sharedSum = new DoubleAdder();
        private final AtomicLong published = new AtomicLong();
        private long added;
        private double sum;

        Adder(boolean shared) {
            this.shared = shared;
        }

        void add(double result, int slices) {
            if (shared) {
                sharedSum.add(result);
                sharedCount.add(slices);
            } else {
                sum += result;
                added += slices;
                published.setRelease(added);
            }
        }

        /** Returns the number of slices whose results have been added. */
        long added() {
            return shared ? sharedCount.sum() : published.getAcquire();
        }

        double sum() {
            return shared ? sharedSum.sum() : sum;
        }

        /** Sets the sum to 0; called while no slice is in progress. */
        void reset() {
            sharedCount.reset();
            sharedSum.reset();
            sum = 0;
            added = 0;
            published.set(0);
        }
    }

    // ---------------------------------------------------------------- calculators

    /** Each thread adds up its slices locally and passes one sum to the adder. */
    static Calculator limit(Series series) {
        Producers threads = new Producers(WORKERS);
        Adder adder = new Adder(true);
        Submit chunks = slices -> threads.start(own -> {
            int from = (int) ((long) slices * own / WORKERS);
            int to = (int) ((long) slices * (own + 1) / WORKERS);
            double sum = 0;
            for (int slice = from; slice < to; slice++) {
                sum += series.slice(slice);
            }
            adder.add(sum, to - from);
        });
        return new Calculator(adder, chunks, threads::close);
    }

    /** Tasks of Spindle's pool compute the slices, and a strand adds the results. */
    static Calculator spindle(Series series) {
        Spindle spindle = SerialExecutors.spindle(WORKERS);
        Strand strand = spindle.strand("adder");
        Adder adder = new Adder(false);
        Submit task = index -> spindle.execute(() -> {
            double result = series.slice(index);
            strand.execute(() -> adder.add(result, 1));
        });
        return new Calculator(adder, each(adder, task), spindle::close);
    }

    /** Tasks of a pool compute the slices and add the results to a shared sum. */
    static Maker pool(Supplier<ExecutorService> pools) {
        return series -> {
            ExecutorService pool = pools.get();
            Adder adder = new Adder(true);
            Submit task = index -> pool.execute(() -> adder.add(series.slice(index), 1));
            return new Calculator(adder, each(adder, task), () -> Pools.close(pool));
        };
    }

    /** Members compute the slices round-robin, and one more member adds the results. */
    static Maker crowd(Crowd.Maker maker) {
        return series -> {
            Crowd crowd = maker.of(WORKERS + 1, WORKERS);
            Adder adder = new Adder(false);
            Crowd.Member adding = crowd.member((result, turn) -> adder.add((Double) result, 1));
            Crowd.Behaviour work = (index, turn) -> turn.tell(adding, series.slice((Integer) index));
            List<Crowd.Member> workers =
                    Stream.generate(() -> crowd.member(work)).limit(WORKERS).toList();
            Submit message = index -> workers.get(index % WORKERS).send(index);
            return new Calculator(adder, each(adder, message), crowd::close);
        };
    }

    private static final class Slice {
        private int index;
        private double result;
    }

    /** A parallel stage with two strands computes the slices, and a second stage adds the results. */
    static Calculator pipeline(Series series) {
        Spindle spindle = SerialExecutors.spindle(WORKERS);
        Adder adder = new Adder(false);
        dev.spindle.pipeline.EventHandler<Slice> add = slice -> adder.add(slice.result, 1);
        Pipeline<Slice> pipeline = Pipeline.builder(spindle, "pipeline", Slice::new)
                .capacity(UNDER_WAY)
                .singlePublisher(true)
                .parallelStage("compute", WORKERS, slice -> slice.result = series.slice(slice.index))
                .stage("add", add)
                .after("compute")
                .build();
        int[] next = new int[1];
        Consumer<Slice> fill = slice -> slice.index = next[0]; // allocated once for all events
        Submit event = index -> {
            next[0] = index;
            pipeline.publish(fill);
        };
        return new Calculator(adder, each(adder, event), () -> {
            pipeline.close();
            spindle.close();
        });
    }

    /** Two handlers compute alternate slices, and a third handler adds the results. */
    static Calculator disruptor(Series series) {
        Disruptor<Slice> disruptor = new Disruptor<>(
                Slice::new, UNDER_WAY, DaemonThreadFactory.INSTANCE, ProducerType.SINGLE, new YieldingWaitStrategy());
        Adder adder = new Adder(false);
        EventHandler<Slice> even = part(series, 0);
        EventHandler<Slice> odd = part(series, 1);
        EventHandler<Slice> add = (slice, sequence, endOfBatch) -> adder.add(slice.result, 1);
        disruptor.handleEventsWith(even);
        disruptor.handleEventsWith(odd);
        disruptor.after(even, odd).handleEventsWith(add);
        RingBuffer<Slice> slots = disruptor.start();
        Submit event = index -> {
            long sequence = slots.next();
            slots.get(sequence).index = index;
            slots.publish(sequence);
        };
        return new Calculator(adder, each(adder, event), disruptor::halt);
    }

    private static EventHandler<Slice> part(Series series, int remainder) {
        return (slice, sequence, endOfBatch) -> {
            if (sequence % WORKERS == remainder) {
                slice.result = series.slice(slice.index);
            }
        };
    }
}
