// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import com.alipay.sofa.jraft.util.concurrent.MpscSingleThreadExecutor;
import com.google.common.util.concurrent.MoreExecutors;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import dev.spindle.WaitStrategy;
import dev.spindle.benchmarks.compare.Waits;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import io.vertx.core.impl.TaskQueue;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.apache.pekko.actor.ActorRef;

/**
 * Executors of one contender, each of which runs its tasks one after another.
 *
 * @param executors the executors, created before a pass is timed
 * @param ending stops the threads of the executors
 */
public record SerialExecutors(List<Executor> executors, Runnable ending) implements AutoCloseable {
    /** Creates {@code count} executors. Executors that share a pool share {@code threads} threads. */
    public interface Maker {
        SerialExecutors of(int count, int threads);
    }

    @Override
    public void close() {
        ending.run();
    }

    // ---------------------------------------------------------------- Spindle

    public static Spindle spindle(int threads) {
        return Spindle.builder().coreThreads(threads).maxThreads(threads).build();
    }

    public static SerialExecutors strands(int count, int threads) {
        Spindle spindle = spindle(threads);
        return group(spindle.strandBuilder("strand").buildGroup(count), spindle::close);
    }

    public static Maker ownStrands(WaitStrategy waiting) {
        return (count, threads) ->
                group(Strand.builder("strand", Thread::new, waiting).buildGroup(count), () -> {});
    }

    /** Returns keys of a default Spindle, which are looked up at each submission. */
    public static SerialExecutors keys(int count, int threads) {
        return ofKeys(count, keyed -> key -> task -> keyed.execute(key, task));
    }

    /** Returns handles of keys, which are looked up once, beforehand. */
    public static SerialExecutors handles(int count, int threads) {
        return ofKeys(count, keyed -> keyed::at);
    }

    private static SerialExecutors ofKeys(int count, Function<Keyed<Integer>, Function<Integer, Executor>> way) {
        Spindle spindle = Spindle.create();
        Function<Integer, Executor> executor = way.apply(spindle.keyed("keys"));
        return new SerialExecutors(executors(count, key -> executor.apply(Integer.valueOf(key))), spindle::close);
    }

    private static SerialExecutors group(StrandGroup group, Runnable ending) {
        return new SerialExecutors(executors(group.strands().size(), group::at), () -> {
            group.close();
            ending.run();
        });
    }

    // ---------------------------------------------------------------- peers with a thread for each

    public static SerialExecutors jdk(int count, int threads) {
        return each(count, Executors::newSingleThreadExecutor, Pools::end);
    }

    public static SerialExecutors netty(int count, int threads) {
        return each(count, DefaultEventExecutor::new, Pools::end);
    }

    public static SerialExecutors jraft(int count, int threads) {
        return each(count, SerialExecutors::mpsc, executor -> executor.shutdownGracefully(10, TimeUnit.SECONDS));
    }

    public static SerialExecutors agrona(int count, int threads) {
        return each(count, SpinningRing::new, SpinningRing::close);
    }

    private static <E extends Executor> SerialExecutors each(int count, Supplier<E> maker, Consumer<E> ending) {
        List<E> made = Stream.generate(maker).limit(count).toList();
        return new SerialExecutors(List.copyOf(made), () -> made.forEach(ending));
    }

    // ---------------------------------------------------------------- peers that share threads

    public static SerialExecutors guava(int count, int threads) {
        return onForkJoin(count, threads, pool -> () -> MoreExecutors.newSequentialExecutor(pool));
    }

    /** Returns instances of the queue that Vert.x uses for {@code executeBlocking(ordered)}. */
    public static SerialExecutors vertx(int count, int threads) {
        return onForkJoin(count, threads, pool -> () -> {
            TaskQueue queue = new TaskQueue();
            return task -> queue.execute(task, pool);
        });
    }

    public static SerialExecutors nonSticky(int count, int threads) {
        return onForkJoin(count, threads, pool -> {
            NonStickyEventExecutorGroup group = new NonStickyEventExecutorGroup(new UnorderedEventExecutor(pool));
            return group::next;
        });
    }

    private static SerialExecutors onForkJoin(
            int count, int threads, Function<ForkJoinPool, Supplier<Executor>> makers) {
        ForkJoinPool pool = Pools.asyncForkJoin(threads);
        Supplier<Executor> maker = makers.apply(pool);
        return new SerialExecutors(executors(count, none -> maker.get()), () -> Pools.close(pool));
    }

    public static Maker pekko(int throughput) {
        return (count, threads) -> {
            PekkoActors actors = new PekkoActors(threads, throughput);
            return new SerialExecutors(
                    executors(count, none -> {
                        ActorRef actor = actors.taskActor();
                        return task -> actor.tell(task, ActorRef.noSender());
                    }),
                    actors::close);
        };
    }

    /** Maps the executors to a few threads by a modulus; an idle thread does not take work of another. */
    public static SerialExecutors stripes(int count, int threads) {
        SerialExecutors few = jraft(threads, threads);
        return new SerialExecutors(executors(count, key -> few.executors().get(key % threads)), few::close);
    }

    private static MpscSingleThreadExecutor mpsc() {
        return new MpscSingleThreadExecutor(Integer.MAX_VALUE, task -> {
            Thread thread = new Thread(task, "jraft");
            thread.setDaemon(true);
            return thread;
        });
    }

    private static List<Executor> executors(int count, IntFunction<? extends Executor> maker) {
        return IntStream.range(0, count).<Executor>mapToObj(maker).toList();
    }

    /**
     * An executor with one thread, which polls one of Agrona's queues without blocking; a submitter spins while it is
     * full.
     */
    private static final class SpinningRing implements Executor, AutoCloseable {
        private static final int CAPACITY = 1 << 20; // exceeds the number of tasks of a pass

        private final ManyToOneConcurrentArrayQueue<Runnable> tasks = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
        private final Thread thread = Waits.start("ring", this::run);
        private volatile boolean ended;

        @Override
        public void execute(Runnable task) {
            while (!tasks.offer(task)) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            ended = true;
            Waits.ignoring(thread::join);
        }

        private void run() {
            while (!ended) {
                BusySpinIdleStrategy.INSTANCE.idle(tasks.drain(Runnable::run));
            }
        }
    }

    /**
     * Adapts a fork-join pool to Netty. Netty's own unordered executor is a scheduled pool, which inserts every task
     * into a heap under a lock. Netty's ordered executors are faster on a fork-join pool.
     */
    @SuppressWarnings("deprecation") // the deprecated shutdown() is abstract
    public static final class UnorderedEventExecutor extends AbstractEventExecutor {
        private final ExecutorService pool;

        public UnorderedEventExecutor(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        public void execute(Runnable task) {
            pool.execute(task);
        }

        @Override
        public boolean inEventLoop(Thread thread) {
            return false;
        }

        @Override
        public boolean isShuttingDown() {
            return pool.isShutdown();
        }

        @Override
        public boolean isShutdown() {
            return pool.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return pool.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return pool.awaitTermination(timeout, unit);
        }

        @Override
        public void shutdown() {
            pool.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return pool.shutdownNow();
        }

        @Override
        public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
            pool.shutdown();
            return terminationFuture();
        }

        @Override
        public Future<?> terminationFuture() {
            return newFailedFuture(new UnsupportedOperationException("the pool is ended by its owner"));
        }
    }
}
