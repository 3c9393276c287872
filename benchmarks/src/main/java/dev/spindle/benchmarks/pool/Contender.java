// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import dev.spindle.Spindle;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.threads.EnhancedQueueExecutor;

/** Who takes part. The order here is the order of the rows. */
enum Contender {
    LIMIT("limit", "physical limit: plain threads, no hand-over", Family.LIMIT) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            throw new UnsupportedOperationException("the limit has no executor");
        }
    },
    SPINDLE("spindle", "Spindle", Family.OURS) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            return Spindle.builder().core(threads).max(threads).build();
        }
    },
    TPE("tpe", "ThreadPoolExecutor, linked queue", Family.PEER) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            return new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }
    },
    FJP("fjp", "ForkJoinPool, async", Family.PEER) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            return new ForkJoinPool(threads, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        }
    },
    VIRTUAL("virtual", "a virtual thread per task", Family.PEER) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            try {
                // By reflection, since the bytecode is for a JDK that has no virtual threads.
                Object made = Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
                return (ExecutorService) Objects.requireNonNull(made, "a factory method returns no null");
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("no virtual threads on Java " + Runtime.version(), e);
            }
        }

        @Override
        Optional<String> absence() {
            int feature = Runtime.version().feature();
            return feature >= FIRST_WITH_VIRTUAL_THREADS
                    ? Optional.empty()
                    : Optional.of("virtual threads need Java " + FIRST_WITH_VIRTUAL_THREADS + ", this is Java "
                            + feature + "; set JAVA_HOME to a newer one to have them compared");
        }
    },
    JBOSS("jboss", "JBoss EnhancedQueueExecutor", Family.PEER) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            return new EnhancedQueueExecutor.Builder()
                    .setCorePoolSize(threads)
                    .setMaximumPoolSize(threads)
                    .setRegisterMBean(false)
                    .build();
        }
    },
    NETTY("netty", "Netty DefaultEventExecutorGroup", Family.PEER) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            return new DefaultEventExecutorGroup(threads);
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the caller awaits the end
        void shutdown(ExecutorService executor) {
            // Without the quiet period of two seconds that its shutdown() waits for.
            ((EventExecutorGroup) executor).shutdownGracefully(0, 10, TimeUnit.SECONDS);
        }
    },
    CONVERSANT("conversant", "ThreadPoolExecutor, Conversant's queue", Family.PEER) {
        @Override
        ExecutorService open(int threads, int outstanding) {
            // The queue has a bound: what a cell has outstanding always fits.
            return new ThreadPoolExecutor(
                    threads, threads, 0, TimeUnit.SECONDS, new DisruptorBlockingQueue<>(Math.max(64, outstanding)));
        }
    };

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    enum Family {
        LIMIT,
        OURS,
        PEER
    }

    private final String id;
    private final String title;
    private final Family family;

    Contender(String id, String title, Family family) {
        this.id = id;
        this.title = title;
        this.family = family;
    }

    /**
     * Makes the executor, outside the clock.
     *
     * @param threads how many threads it gets, where it can be told
     * @param outstanding the most tasks that will wait in it
     */
    abstract ExecutorService open(int threads, int outstanding);

    void shutdown(ExecutorService executor) {
        executor.shutdown();
    }

    /** Why it cannot take part on this JVM; empty when it can. */
    Optional<String> absence() {
        return Optional.empty();
    }

    /** What {@code --contenders} calls it. */
    String id() {
        return id;
    }

    /** What the report calls it. */
    String title() {
        return title;
    }

    Family family() {
        return family;
    }

    boolean takesPart(Cell cell) {
        return absence().isEmpty() && (family != Family.LIMIT || cell.workload().hasLimit());
    }

    static Optional<Contender> named(String id) {
        return Arrays.stream(values())
                .filter(contender -> contender.id.equals(id))
                .findFirst();
    }

    static List<Contender> all() {
        return List.of(values());
    }

    static List<Contender> peers() {
        return Arrays.stream(values())
                .filter(contender -> contender.family == Family.PEER)
                .toList();
    }

    @Override
    public String toString() {
        return id;
    }
}
