// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.benchmarks.forks.Interruptions;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.threads.EnhancedQueueExecutor;

/** Who takes part. The order here is the order of the rows. */
public enum Contender {
    LIMIT("limit", "physical limit: plain threads, no hand-over", Family.LIMIT) {
        @Override
        ExecutorService open(Demand demand) {
            throw new UnsupportedOperationException("the limit has no executor");
        }
    },
    SPINDLE("spindle", "Spindle", Family.OURS) {
        @Override
        ExecutorService open(Demand demand) {
            SpindleBuilder builder = Spindle.builder().core(demand.threads()).max(demand.threads());
            return demand.bounded()
                    ? builder.capacity(demand.capacity())
                            .onFull(OnFull.block(PATIENCE))
                            .build()
                    : builder.build();
        }
    },
    TPE("tpe", "ThreadPoolExecutor, linked queue", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            return demand.bounded()
                    ? fixed(demand, new LinkedBlockingQueue<>(demand.capacity()))
                    : fixed(demand, new LinkedBlockingQueue<>());
        }
    },
    FJP("fjp", "ForkJoinPool, async", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            return new ForkJoinPool(demand.threads(), ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        }
    },
    VIRTUAL("virtual", "a virtual thread per task", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
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
        public Optional<String> absence() {
            int feature = Runtime.version().feature();
            return feature >= FIRST_WITH_VIRTUAL_THREADS
                    ? Optional.empty()
                    : Optional.of("virtual threads need Java " + FIRST_WITH_VIRTUAL_THREADS + ", this is Java "
                            + feature + "; set JAVA_HOME to a newer one to have them compared");
        }
    },
    JBOSS("jboss", "JBoss EnhancedQueueExecutor", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            return new EnhancedQueueExecutor.Builder()
                    .setCorePoolSize(demand.threads())
                    .setMaximumPoolSize(demand.threads())
                    .setRegisterMBean(false)
                    .build();
        }
    },
    NETTY("netty", "Netty DefaultEventExecutorGroup", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            return new DefaultEventExecutorGroup(demand.threads());
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the caller awaits the end
        public void shutdown(ExecutorService executor) {
            // Without the quiet period of two seconds that its shutdown() waits for.
            ((EventExecutorGroup) executor).shutdownGracefully(0, 10, TimeUnit.SECONDS);
        }
    },
    CONVERSANT("conversant", "ThreadPoolExecutor, Conversant's queue", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            // The queue has a bound: what a cell has outstanding always fits, where the cell does not ask for less.
            int places = demand.bounded() ? demand.capacity() : Math.max(64, demand.outstanding());
            return fixed(demand, new DisruptorBlockingQueue<>(places));
        }
    },
    /** Takes part only where many users share a pool: what the sharing itself costs. */
    PLAIN("plain", "one plain Spindle, no order and no limits", Family.REFERENCE) {
        @Override
        ExecutorService open(Demand demand) {
            return SPINDLE.open(demand);
        }
    },
    GUAVA_TPE("guava-tpe", "Guava sequential on a ThreadPoolExecutor", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            return TPE.open(demand);
        }
    },
    GUAVA_FJP("guava-fjp", "Guava sequential on a ForkJoinPool", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            return FJP.open(demand);
        }
    },
    NETTY_ORDERED("netty-ordered", "Netty non-sticky on a ForkJoinPool", Family.PEER) {
        @Override
        ExecutorService open(Demand demand) {
            return FJP.open(demand);
        }
    };

    /** Those that are arrangements of many executors on one pool; a plain cell says nothing about them. */
    private static final Set<Contender> ARRANGEMENTS = EnumSet.of(PLAIN, GUAVA_TPE, GUAVA_FJP, NETTY_ORDERED);

    /** Those whose own bound lets a submitter wait. */
    private static final Set<Contender> BOUNDED = EnumSet.of(SPINDLE, TPE, CONVERSANT);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    public enum Family {
        LIMIT,
        OURS,
        PEER,
        /** Compared with by name, and no peer. */
        REFERENCE
    }

    /**
     * What a cell asks for.
     *
     * @param threads how many threads, where it can be told
     * @param outstanding the most tasks that will wait
     * @param capacity how many tasks may wait before a submitter waits; 0 for no bound
     */
    record Demand(int threads, int outstanding, int capacity) {
        boolean bounded() {
            return capacity > 0;
        }
    }

    private final String id;
    private final String title;
    private final Family family;

    Contender(String id, String title, Family family) {
        this.id = id;
        this.title = title;
        this.family = family;
    }

    /** Makes the executor, outside the clock. Without a bound of its own the contender ignores the demanded one. */
    abstract ExecutorService open(Demand demand);

    public void shutdown(ExecutorService executor) {
        executor.shutdown();
    }

    /** Why it cannot take part on this JVM; empty when it can. */
    public Optional<String> absence() {
        return Optional.empty();
    }

    /** What {@code --contenders} calls it. */
    public String id() {
        return id;
    }

    /** What the report calls it. */
    public String title() {
        return title;
    }

    public Family family() {
        return family;
    }

    /** Whether its own bound lets a submitter wait; users of the others write a semaphore. */
    public boolean waitsWhenFull() {
        return BOUNDED.contains(this);
    }

    public boolean takesPart(Workload workload) {
        return switch (family) {
            case LIMIT -> workload.hasLimit();
            case OURS -> true;
            default -> absence().isEmpty() && ARRANGEMENTS.contains(this) == workload.shared();
        };
    }

    public static Optional<Contender> named(String id) {
        return Arrays.stream(values())
                .filter(contender -> contender.id.equals(id))
                .findFirst();
    }

    public static List<Contender> all() {
        return List.of(values());
    }

    public static List<Contender> peers() {
        return Arrays.stream(values())
                .filter(contender -> contender.family == Family.PEER)
                .toList();
    }

    /** With a bound, a submitter waits for a place, as users have it do. */
    private static ExecutorService fixed(Demand demand, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(
                demand.threads(),
                demand.threads(),
                0,
                TimeUnit.SECONDS,
                queue,
                (task, executor) ->
                        Interruptions.ignoring(() -> executor.getQueue().put(task)));
    }

    @Override
    public String toString() {
        return id;
    }
}
