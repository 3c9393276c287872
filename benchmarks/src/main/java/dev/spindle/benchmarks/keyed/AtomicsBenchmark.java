// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The control of {@link KeyedTaskBenchmark}: what this machine charges for the atomic operations and the allocation of a
 * keyed task, and nothing else. No queue of many producers does with fewer.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"})
@SuppressWarnings("NonAtomicVolatileUpdate") // one thread
public class AtomicsBenchmark {
    private static final int CELLS = 1_000;
    private static final int BATCH = 8;

    /** As large as a lane's node. */
    @SuppressWarnings("UnusedVariable") // it is there to be allocated
    private static final class Link {
        private final @Nullable Link older;
        private final Object task;

        Link(@Nullable Link older, Object task) {
            this.older = older;
            this.task = task;
        }
    }

    /** What stands for a lane. */
    private static final class Head {
        static final VarHandle TOP;
        static final VarHandle INDEX;

        @SuppressWarnings("unused") // through TOP
        private volatile @Nullable Link top;

        @SuppressWarnings("unused") // through INDEX
        private volatile int index;

        static {
            try {
                var lookup = MethodHandles.lookup();
                TOP = lookup.findVarHandle(Head.class, "top", Link.class);
                INDEX = lookup.findVarHandle(Head.class, "index", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    /** A thousand heads. */
    @State(Scope.Thread)
    public static class Heads {
        private final Object task = new Object();
        private final Link idle = new Link(null, task);
        private final Head[] heads = new Head[CELLS];

        /** Called by JMH. */
        @Setup
        public void make() {
            Arrays.setAll(heads, i -> new Head());
            for (Head head : heads) {
                Head.TOP.set(head, idle);
            }
        }
    }

    /** A task that comes alone: pushed, taken, and its lane idle again, each by a CAS. */
    @Benchmark
    @OperationsPerInvocation(CELLS)
    public int oneTask(Heads state) {
        int done = 0;
        for (Head head : state.heads) {
            Link link = new Link(null, state.task);
            if (Head.TOP.compareAndSet(head, state.idle, link)
                    && Head.TOP.compareAndSet(head, link, null)
                    && Head.TOP.compareAndSet(head, null, state.idle)) {
                done++;
            }
        }
        return done;
    }

    /** A task among eight: pushed by a CAS, and claimed by an addition. */
    @Benchmark
    @OperationsPerInvocation(CELLS * BATCH)
    public int oneOfEight(Heads state) {
        int done = 0;
        for (Head head : state.heads) {
            for (int i = 0; i < BATCH; i++) {
                Link top = head.top;
                if (Head.TOP.compareAndSet(head, top, new Link(i == 0 ? null : top, state.task))) {
                    done++;
                }
            }
            for (int i = 0; i < BATCH; i++) {
                done += (int) Head.INDEX.getAndAdd(head, 1) & 1;
            }
            head.top = null;
        }
        return done;
    }

    /** A submission that replaces another: one CAS. */
    @Benchmark
    @OperationsPerInvocation(CELLS)
    public int oneReplacement(Heads state) {
        int done = 0;
        for (Head head : state.heads) {
            if (Head.TOP.compareAndSet(head, head.top, new Link(null, state.task))) {
                done++;
            }
        }
        return done;
    }
}
