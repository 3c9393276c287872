// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import com.alipay.sofa.jraft.util.concurrent.MpscSingleThreadExecutor;
import com.google.common.util.concurrent.MoreExecutors;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import dev.spindle.WaitStrategy;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.peers.Actors;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.peers.UnorderedEventExecutor;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import io.vertx.core.impl.TaskQueue;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.AbstractConcurrentArrayQueue;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.apache.pekko.actor.ActorRef;

/** Who takes part, and how each makes serial executors. */
final class Makers {
    private static final int POOL = 2;
    /** Room for all tasks of a pass. */
    private static final int RING = 1 << 20;

    static final Maker SPINDLE =
            new Maker(Contender.ours("spindle", "Spindle, strands of a pool of 2 workers"), count -> {
                Spindle spindle = Spindle.builder().core(POOL).max(POOL).build();
                return group(Strand.builder("strand").on(spindle).group(count), spindle::close);
            });

    static final Maker SPINDLE_OWN = new Maker(
            Contender.ours("spindle-own", "Spindle, strand with a thread of its own"),
            count -> group(Strand.builder("strand").group(count), () -> {}));

    static final Maker SPINDLE_SPIN = new Maker(
            Contender.ours("spindle-spin", "Spindle, strand with a thread of its own that spins"),
            count -> group(
                    Strand.builder("strand").waitStrategy(WaitStrategy.SPIN).group(count), () -> {}));

    static final Maker JDK = new Maker(
            Contender.peer("jdk", "JDK newSingleThreadExecutor"),
            count -> each(count, Executors::newSingleThreadExecutor, ExecutorService::shutdown));

    static final Maker NETTY = new Maker(
            Contender.peer("netty", "Netty DefaultEventExecutor"),
            count -> each(count, DefaultEventExecutor::new, Makers::shutdown));

    static final Maker NON_STICKY =
            new Maker(Contender.peer("netty-nonsticky", "Netty non-sticky on a ForkJoinPool of 2"), count -> {
                ForkJoinPool pool = Pools.asyncForkJoin(POOL);
                NonStickyEventExecutorGroup group = new NonStickyEventExecutorGroup(new UnorderedEventExecutor(pool));
                return shared(count, group::next, () -> Pools.close(pool));
            });

    static final Maker JRAFT = new Maker(
            Contender.peer("jraft", "SOFAJRaft MpscSingleThreadExecutor"),
            count -> each(
                    count,
                    () -> new MpscSingleThreadExecutor(Integer.MAX_VALUE, Makers::daemon),
                    executor -> executor.shutdownGracefully(10, TimeUnit.SECONDS)));

    static final Maker AGRONA = new Maker(
            Contender.peer("agrona", "Agrona many-to-one ring, a thread that spins"),
            count -> rings(count, () -> new ManyToOneConcurrentArrayQueue<>(RING)));

    static final Maker AGRONA_ONE = new Maker(
            Contender.peer("agrona-1to1", "Agrona one-to-one ring, a thread that spins"),
            count -> rings(count, () -> new OneToOneConcurrentArrayQueue<>(RING)));

    static final Maker GUAVA = new Maker(Contender.peer("guava", "Guava sequential on a ForkJoinPool of 2"), count -> {
        ForkJoinPool pool = Pools.asyncForkJoin(POOL);
        return shared(count, () -> MoreExecutors.newSequentialExecutor(pool), () -> Pools.close(pool));
    });

    static final Maker VERTX = new Maker(Contender.peer("vertx", "Vert.x ordered on a ForkJoinPool of 2"), count -> {
        ForkJoinPool pool = Pools.asyncForkJoin(POOL);
        return shared(
                count,
                () -> {
                    TaskQueue queue = new TaskQueue();
                    return task -> queue.execute(task, pool);
                },
                () -> Pools.close(pool));
    });

    static final Maker PEKKO = new Maker(
            Contender.peer("pekko", "Pekko actors, 2 threads, throughput " + Actors.HIGH_THROUGHPUT), count -> {
                Actors actors = new Actors(POOL, Actors.HIGH_THROUGHPUT);
                return shared(
                        count,
                        () -> {
                            ActorRef actor = actors.taskActor();
                            return task -> actor.tell(task, ActorRef.noSender());
                        },
                        actors::close);
            });

    private Makers() {}

    /**
     * A contender that has serial executors.
     *
     * @param make makes so many, outside the clock
     */
    record Maker(Contender contender, IntFunction<Serial> make) {
        Serial of(int count) {
            return make.apply(count);
        }
    }

    private static Serial group(StrandGroup group, Runnable ending) {
        return new Serial(executors(group.size(), group::at), () -> {
            group.close();
            ending.run();
        });
    }

    /** Executors of one pool. */
    private static Serial shared(int count, Supplier<? extends Executor> maker, Runnable ending) {
        return new Serial(executors(count, none -> maker.get()), ending);
    }

    /** Executors with a thread each. */
    private static <E extends Executor> Serial each(int count, Supplier<E> maker, Consumer<E> ending) {
        List<E> made = Stream.generate(maker).limit(count).toList();
        return new Serial(List.copyOf(made), () -> made.forEach(ending));
    }

    private static Serial rings(int count, Supplier<AbstractConcurrentArrayQueue<Runnable>> queue) {
        return each(count, () -> new SpinningRing(queue.get()), SpinningRing::close);
    }

    private static List<Executor> executors(int count, IntFunction<? extends Executor> maker) {
        return IntStream.range(0, count).<Executor>mapToObj(maker).toList();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the fork ends anyway
    private static void shutdown(EventExecutor executor) {
        executor.shutdownGracefully(0, 10, TimeUnit.SECONDS);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "jraft");
        thread.setDaemon(true);
        return thread;
    }
}
