// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Waits;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.threads.EnhancedQueueExecutor;

/** Creates and closes executors of plain tasks. */
public final class Pools {
    private static final int END_SECONDS = 10;

    private Pools() {}

    /**
     * Creates an executor with a number of threads and a queue for a number of tasks. An executor without one of these
     * parameters ignores that number.
     */
    public interface Maker {
        ExecutorService of(int threads, int outstanding);
    }

    public static Map<Contender, Maker> all() {
        Map<Contender, Maker> all = new LinkedHashMap<>();
        all.put(Contenders.SPINDLE, Pools::spindle);
        all.put(Contenders.SPINDLE_ELASTIC, (threads, outstanding) -> elastic(threads, false));
        all.put(Contenders.SPINDLE_VIRTUAL, (threads, outstanding) -> elastic(threads, true));
        all.put(Contenders.TPE, (threads, outstanding) -> fixed(threads, new LinkedBlockingQueue<>()));
        all.put(Contenders.FJP, (threads, outstanding) -> asyncForkJoin(threads));
        all.put(Contenders.VIRTUAL, (threads, outstanding) -> virtualThreads());
        all.put(
                Contenders.JBOSS,
                (threads, outstanding) -> new EnhancedQueueExecutor.Builder()
                        .setCorePoolSize(threads)
                        .setMaximumPoolSize(threads)
                        .setRegisterMBean(false)
                        .build());
        all.put(Contenders.NETTY_GROUP, (threads, outstanding) -> new DefaultEventExecutorGroup(threads));
        // The queue is bounded, with room for all outstanding tasks.
        all.put(
                Contenders.CONVERSANT_POOL,
                (threads, outstanding) -> fixed(threads, new DisruptorBlockingQueue<>(Math.max(64, outstanding))));
        return all;
    }

    /** Returns the pools of contenders whose executors and keys share one pool. */
    public static Map<Contender, Maker> shared() {
        Map<Contender, Maker> shared = new LinkedHashMap<>();
        shared.put(Contenders.SPINDLE, Pools::spindle);
        shared.put(Contenders.PLAIN, Pools::spindle);
        shared.put(Contenders.GUAVA_TPE, (threads, outstanding) -> fixed(threads, new LinkedBlockingQueue<>()));
        shared.put(Contenders.GUAVA, (threads, outstanding) -> asyncForkJoin(threads));
        shared.put(Contenders.NON_STICKY, (threads, outstanding) -> asyncForkJoin(threads));
        return shared;
    }

    private static ExecutorService spindle(int threads, int outstanding) {
        return Spindle.builder().coreThreads(threads).maxThreads(threads).build();
    }

    private static ExecutorService elastic(int threads, boolean virtual) {
        int processors = Runtime.getRuntime().availableProcessors();
        return Spindle.builder()
                .coreThreads(Math.min(threads, processors))
                .maxThreads(threads)
                .virtualThreads(virtual)
                .build();
    }

    /** Returns a pool whose workers run their tasks in order of submission. */
    public static ForkJoinPool asyncForkJoin(int threads) {
        return new ForkJoinPool(threads, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
    }

    private static ExecutorService fixed(int threads, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, queue);
    }

    /**
     * Returns an executor with a virtual thread per task. The method is called by reflection, because the bytecode is
     * for a JDK without virtual threads.
     */
    public static ExecutorService virtualThreads() {
        try {
            Object made =
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            return (ExecutorService) Objects.requireNonNull(made, "a factory method returns no null");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual threads on Java " + Runtime.version(), e);
        }
    }

    /** Shuts an executor down without waiting for its termination. */
    @SuppressWarnings("FutureReturnValueIgnored") // callers wait for the termination if necessary
    public static void end(ExecutorService executor) {
        if (executor instanceof EventExecutorGroup group) {
            group.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS); // shutdown() has a quiet period of two seconds
        } else {
            executor.shutdown();
        }
    }

    /** Shuts an executor down and waits up to ten seconds for its termination. */
    public static void close(ExecutorService executor) {
        end(executor);
        Waits.ignoring(() -> {
            if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        });
    }
}
