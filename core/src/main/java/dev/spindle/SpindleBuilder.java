// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.DefaultThreads;
import dev.spindle.internal.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Spindle} with options. Not thread-safe; may be used again. */
public final class SpindleBuilder {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final int MOST_THREADS = 32_000;

    private @Nullable String name;
    int core; // 0 for the default
    private int max = 0;
    Duration keepAlive = Duration.ofSeconds(10);
    Duration linger = Duration.ofSeconds(1);
    int coreBumpAfter = 10;
    int capacity = 0;
    int capacityPerKey = 0;
    OnFull onFull = OnFull.reject();

    @Nullable
    ThreadFactory threadFactory;

    @Nullable
    ThreadFactory auxiliaryThreadFactory;

    WaitStrategy waitStrategy = WaitStrategy.PARK;

    @Nullable
    FailureHandler onFailure;

    @Nullable
    ContextHook context;

    NanoClock clock = NanoClock.system();

    SpindleBuilder() {}

    /** Sets the name, used for threads and in messages. By default {@code spindle-} and a number. */
    public SpindleBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets how many threads are kept: they live as long as the executor. By default the number of processors, or {@link
     * #max} if that is less.
     *
     * <p>How many run at a time the executor finds by itself: while no task waits, as many as there are processors for
     * this process, or the core if that is less; and one more for each that waits, up to {@link #max}. A large core
     * does not wake more.
     *
     * @throws IllegalArgumentException if {@code threads} is not from 1 to 32,000
     */
    public SpindleBuilder core(int threads) {
        this.core = requireThreads("core", threads);
        return this;
    }

    /**
     * Sets how many workers there may be, blocked ones included. By default 8 x core, but at least 64 and at most
     * 32,000.
     *
     * @throws IllegalArgumentException if {@code threads} is not from 1 to 32,000
     */
    public SpindleBuilder max(int threads) {
        this.max = requireThreads("max", threads);
        return this;
    }

    private static int requireThreads(String what, int threads) {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException(what + " must be from 1 to " + MOST_THREADS + ", is " + threads);
        }
        return threads;
    }

    /**
     * Sets how long a worker beyond the core lives after its last work. By default 10 s.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public SpindleBuilder keepAlive(Duration time) {
        this.keepAlive = Durations.requirePositive("keepAlive", time);
        return this;
    }

    /**
     * Sets after how many separate growth episodes the core grows by one thread, up to the maximum; 0 for never. An
     * episode begins when more workers than the core are needed at a time, since some wait, and ends when the threads
     * beyond the core have ended. So a load that comes back finds its threads. By default 10.
     *
     * @throws IllegalArgumentException if {@code episodes} is negative
     */
    public SpindleBuilder coreBumpAfter(int episodes) {
        if (episodes < 0) {
            throw new IllegalArgumentException("coreBumpAfter must be 0 or more, is " + episodes);
        }
        this.coreBumpAfter = episodes;
        return this;
    }

    /**
     * Sets how long an idle key is remembered, at the most; it may be forgotten earlier. By default 1 s.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public SpindleBuilder linger(Duration time) {
        this.linger = Durations.requirePositive("linger", time);
        return this;
    }

    /**
     * Sets how many accepted tasks may wait in all, those of logical executors included; coalescing tasks are not
     * counted. By default there is no bound.
     *
     * @throws IllegalArgumentException if {@code tasks} is below 1
     */
    public SpindleBuilder capacity(int tasks) {
        this.capacity = requireBound("capacity", tasks);
        return this;
    }

    /**
     * Sets how many tasks may wait in one lane; coalescing tasks are not counted. By default there is no bound.
     *
     * @throws IllegalArgumentException if {@code tasks} is below 1
     */
    public SpindleBuilder capacityPerKey(int tasks) {
        this.capacityPerKey = requireBound("capacityPerKey", tasks);
        return this;
    }

    static int requireBound(String what, int tasks) {
        if (tasks < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, is " + tasks);
        }
        return tasks;
    }

    /**
     * Sets what a submit does at a bound; to be set together with {@link #capacity} or {@link #capacityPerKey}. By
     * default it rejects. Strands and logical executors with bounds of their own have policies of their own.
     *
     * @throws IllegalArgumentException for {@link OnFull#callerRuns}, which would run tasks beside the turns of their
     *     lanes
     */
    public SpindleBuilder onFull(OnFull policy) {
        this.onFull = requireNoCallerRuns(policy);
        return this;
    }

    static OnFull requireNoCallerRuns(OnFull policy) {
        if (Objects.requireNonNull(policy, "onFull").kind == OnFull.Kind.CALLER_RUNS) {
            throw new IllegalArgumentException("onFull is " + policy + ", which only a logical executor can have");
        }
        return policy;
    }

    /**
     * Sets who makes the workers' threads. By default they are named after the executor, and take nothing from the
     * thread that happens to start them: they are not daemons, have the normal priority and the class loader of this
     * library as context class loader, and inherit no thread-locals. With a factory all that is the factory's affair;
     * it is called by submitters, by workers, and after a failure by a daemon thread that then ends. What a task
     * changes of its thread, as its name, priority, context class loader or thread-locals, is not set back after it, as
     * in the JDK's pools.
     *
     * <p>A factory that fails costs no accepted task: the work goes on with the threads there are, and while it waits,
     * the factory is asked again after 10 ms. While there is no thread, a submit is rejected. A factory that takes long
     * holds up whoever called it, and while the first thread is made, all who submit.
     *
     * <p>A thread that is an {@link AutoCloseable} is closed by its worker, on itself, before the end of the worker can
     * be seen: what it holds, a processor core say, is free again when {@link Spindle#close} returns.
     */
    public SpindleBuilder threadFactory(ThreadFactory factory) {
        this.threadFactory = Objects.requireNonNull(factory, "threadFactory");
        return this;
    }

    /**
     * Sets who makes the threads of the workers beyond the core, which exist while tasks wait.
     * By default the {@link #threadFactory} makes them as well.
     *
     * <p>With a factory for them, core and auxiliary workers are not alike: a worker stays what it was made for, idle
     * core workers are woken first, and it is always the auxiliaries that end after the keep-alive. They may be virtual
     * threads, on JDK 21 and newer with {@code Thread.ofVirtual().name("aux-", 0).factory()}: threads that cost little,
     * for tasks that block. A virtual thread that computes is not interrupted by others and keeps its carrier for that
     * time.
     */
    public SpindleBuilder auxiliaryThreadFactory(ThreadFactory factory) {
        this.auxiliaryThreadFactory = Objects.requireNonNull(factory, "auxiliaryThreadFactory");
        return this;
    }

    /** Sets what workers do while there is no work. By default they {@linkplain WaitStrategy#PARK park}. */
    public SpindleBuilder waitStrategy(WaitStrategy strategy) {
        this.waitStrategy = Objects.requireNonNull(strategy, "waitStrategy");
        return this;
    }

    /**
     * Sets who is told of failed tasks without a future. By default each is logged in a line, and given to the
     * uncaught-exception handler of the worker's thread; if there is none but the JDK's own, which only prints the
     * stack trace, that is in the log. The worker goes on.
     */
    public SpindleBuilder onFailure(FailureHandler handler) {
        this.onFailure = Objects.requireNonNull(handler, "onFailure");
        return this;
    }

    /** Sets what carries a context from submitters to tasks. By default nothing is carried. */
    public SpindleBuilder context(ContextHook hook) {
        this.context = Objects.requireNonNull(hook, "context");
        return this;
    }

    /** Sets the clock. By default the system's. Workers park by the system's clock all the same. */
    public SpindleBuilder clock(NanoClock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
        return this;
    }

    /**
     * Makes the executor. Threads are started when work comes.
     *
     * @throws IllegalArgumentException if an option, or two together, make no sense
     */
    public Spindle build() {
        int processors = Runtime.getRuntime().availableProcessors();
        int least = core != 0 ? core : Math.min(processors, max == 0 ? MOST_THREADS : max);
        int most = max != 0 ? max : Math.min(MOST_THREADS, Math.max(64, 8 * least));
        if (most < least) {
            throw new IllegalArgumentException("max must be at least core, is " + most + " with core " + least);
        }
        onFull.requireBound(capacity != 0 || capacityPerKey != 0, "capacity or capacityPerKey");
        String chosen = name == null ? "spindle-" + NUMBERS.incrementAndGet() : name;
        ThreadFactory threads = threadFactory != null ? threadFactory : DefaultThreads.numbered(chosen);
        return new Spindle(this, chosen, least, most, threads);
    }
}
