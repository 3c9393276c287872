// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.peers.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A task or a message for each slice. The submitting thread sleeps while too many are under way. */
final class PiOfTasks implements Pi.Calculator {
    private static final int UNDER_WAY = 16_384;
    private static final int BETWEEN_LOOKS = 256;
    private static final long NAP_NANOS = 20_000;
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private final Supplier<Adder> adders;
    private final Submit submit;
    private final Runnable ending;

    /** Submits a slice, whose result must reach the adder. */
    private interface Submit {
        void slice(int index, Adder adder) throws InterruptedException;
    }

    /** The place where results are added up. */
    private interface Adder {
        void add(double result);

        /** Returns the number of added results. */
        long added();

        double sum();
    }

    private PiOfTasks(Supplier<Adder> adders, Submit submit, Runnable ending) {
        this.adders = adders;
        this.submit = submit;
        this.ending = ending;
    }

    /** An adder for tasks or actors that add one at a time. */
    private static final class Serial implements Adder {
        private final AtomicLong published = new AtomicLong();
        private long added;
        private double sum;

        @Override
        public void add(double result) {
            sum += result;
            published.setRelease(++added);
        }

        @Override
        public long added() {
            return published.getAcquire();
        }

        @Override
        public double sum() {
            return sum;
        }
    }

    /** An adder for all workers at once. */
    private static final class Shared implements Adder {
        private final LongAdder count = new LongAdder();
        private final AtomicLong bits = new AtomicLong();

        @Override
        public void add(double result) {
            long before;
            long after;
            do {
                before = bits.get();
                after = Double.doubleToRawLongBits(Double.longBitsToDouble(before) + result);
            } while (!bits.compareAndSet(before, after));
            count.increment();
        }

        @Override
        public long added() {
            return count.sum();
        }

        @Override
        public double sum() {
            return Double.longBitsToDouble(bits.get());
        }
    }

    /** Tasks of Spindle's pool, and a strand that adds. */
    static Pi.Calculator spindle(Pi.Series series) {
        Spindle spindle = Crowds.spindle(Pi.WORKERS);
        Strand strand = spindle.strand("adder");
        Submit submit = (index, adder) -> spindle.execute(() -> {
            double result = series.slice(index);
            strand.execute(() -> adder.add(result));
        });
        return new PiOfTasks(Serial::new, submit, spindle::close);
    }

    /** Tasks of a pool that add to a shared sum. */
    static Pi.Maker pool(Supplier<ExecutorService> pools) {
        return series -> {
            ExecutorService pool = pools.get();
            Submit submit = (index, adder) -> pool.execute(() -> adder.add(series.slice(index)));
            return new PiOfTasks(Shared::new, submit, () -> Pools.close(pool));
        };
    }

    private record Slice(int index, Adder adder) {}

    private record Addend(double result, Adder adder) {}

    /** Members that take slices in turn, and a member that adds. */
    static Pi.Maker crowd(Crowd.Maker maker) {
        return series -> {
            Crowd crowd = maker.of(Pi.WORKERS + 1, Pi.WORKERS);
            Crowd.Member adding = crowd.member((message, turn) -> {
                Addend addend = (Addend) message;
                addend.adder.add(addend.result);
            });
            Crowd.Behaviour work = (message, turn) -> {
                Slice slice = (Slice) message;
                turn.tell(adding, new Addend(series.slice(slice.index), slice.adder));
            };
            List<Crowd.Member> workers = new ArrayList<>();
            for (int i = 0; i < Pi.WORKERS; i++) {
                workers.add(crowd.member(work));
            }
            Submit submit = (index, adder) -> workers.get(index % Pi.WORKERS).send(new Slice(index, adder));
            return new PiOfTasks(Serial::new, submit, crowd::close);
        };
    }

    @Override
    public Pi.Result sum(int slices) throws InterruptedException {
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
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new StalledException(adder.added() + " of " + wanted + " results were added after a minute");
            }
        }
    }

    @Override
    public void close() {
        ending.run();
    }

    /** The limit: each thread adds up its part, and hands over only its sum. */
    record Chunks(Pi.Series series, int count, ExecutorService threads) implements Pi.Calculator {
        static Pi.Maker of(int count) {
            return series -> new Chunks(series, count, Executors.newFixedThreadPool(count));
        }

        @Override
        public Pi.Result sum(int slices) throws InterruptedException {
            List<Callable<Double>> chunks = new ArrayList<>();
            for (int chunk = 0; chunk < count; chunk++) {
                int from = (int) ((long) slices * chunk / count);
                int to = (int) ((long) slices * (chunk + 1) / count);
                chunks.add(() -> sum(from, to));
            }
            double sum = 0;
            try {
                for (Future<Double> part : threads.invokeAll(chunks)) {
                    sum += part.get();
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a chunk failed", e);
            }
            return new Pi.Result(sum, slices);
        }

        private double sum(int from, int to) {
            double sum = 0;
            for (int slice = from; slice < to; slice++) {
                sum += series.slice(slice);
            }
            return sum;
        }

        @Override
        public void close() {
            Pools.close(threads);
        }
    }
}
