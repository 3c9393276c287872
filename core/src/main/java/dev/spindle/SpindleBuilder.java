// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.VirtualThreads;
import dev.spindle.internal.executor.Admission;
import dev.spindle.internal.executor.SystemClock;
import dev.spindle.internal.pool.DefaultThreads;
import dev.spindle.internal.wait.Closing;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Spindle} with options. Not thread-safe. May be reused after {@link #build}. */
public final class SpindleBuilder {
    /* The defaults refer to no class of an option, so that the first task of a process does not load these classes. */
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    /** The maximum number of platform threads of a spindle. Not measured. */
    private static final int MOST_THREADS = 32_000;
    /** The maximum number of threads of a spindle whose auxiliary threads are virtual. Not measured. */
    private static final int MOST_WITH_VIRTUAL = 1_000_000;

    /**
     * The default maximum of threads with {@link #virtualThreads}. Measured: a worker whose task blocks takes 3.8 to
     * 4.1 kB, hence 40 MB in all.
     */
    private static final int USUAL_WITH_VIRTUAL = 10_000;

    /** The maximum of {@link #sampleOneIn}. */
    private static final int FEWEST_SAMPLES = 1 << 20;

    private @Nullable String name;
    int coreThreads; // 0 for the default
    private int maxThreads;
    long keepAliveNanos = 10_000_000_000L;
    long keyKeepAliveNanos = 1_000_000_000L;
    long closeNanos = Closing.FOREVER;
    int growCoreAfter = 10;
    int capacity = 0;
    int sampleOneIn = 128;

    @Nullable
    OnFull onFull; // not null if there is a capacity

    @Nullable
    ThreadFactory threadFactory;

    private @Nullable ThreadFactory auxiliaryThreadFactory;

    private boolean virtualThreads;
    boolean spins;
    boolean yields = true;

    @Nullable
    BiConsumer<? super Activity, ? super Throwable> onFailure;

    @Nullable
    UnaryOperator<Runnable> taskDecorator;

    @Nullable
    Consumer<? super Activity> onStuck;

    long stuckNanos = 30_000_000_000L;
    boolean keyInThreadName;

    LongSupplier clock = SystemClock.INSTANCE;

    SpindleBuilder() {}

    /** Sets the name, used for threads and in messages. The default is {@code spindle-} and a number. */
    public SpindleBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the number of core threads, which do not end while they are idle. The default is the number of processors,
     * or {@link #maxThreads} if that is less.
     *
     * <p>The executor itself determines how many workers run at once. While no task blocks, at most as many workers run
     * as the process has processors or as the core has threads, whichever is less. Another worker replaces each blocked
     * worker, up to {@link #maxThreads}. A core above the number of processors does not make more workers run.
     *
     * @throws IllegalArgumentException if {@code threads} is not from 1 to 32,000
     */
    public SpindleBuilder coreThreads(int threads) {
        this.coreThreads = requireCoreThreads(threads);
        return this;
    }

    static int requireCoreThreads(int threads) {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("coreThreads must be from 1 to " + MOST_THREADS + ", is " + threads);
        }
        return threads;
    }

    /**
     * Sets the maximum number of workers, blocked ones included. The default is 8 x core, but at least 64 and at most
     * 32,000; with {@link #virtualThreads} it is 10,000. A maximum above 32,000 requires virtual auxiliary threads.
     *
     * @throws IllegalArgumentException if {@code threads} is not from 1 to 1,000,000
     */
    public SpindleBuilder maxThreads(int threads) {
        this.maxThreads = requireMaxThreads(threads, MOST_WITH_VIRTUAL);
        return this;
    }

    private static int requireMaxThreads(int threads, int most) {
        if (threads < 1 || threads > most) {
            throw new IllegalArgumentException("maxThreads must be from 1 to " + MOST_THREADS + ", or to "
                    + MOST_WITH_VIRTUAL + " with virtual auxiliary threads, is " + threads);
        }
        return threads;
    }

    /**
     * Returns {@code threads} if the factory of auxiliary threads allows this maximum. Makes a thread of the factory if
     * only virtual threads allow so many; the thread is not started.
     */
    static int requireMaxThreads(int threads, @Nullable ThreadFactory auxiliaries) {
        boolean asks = threads > MOST_THREADS && threads <= MOST_WITH_VIRTUAL;
        Thread made = asks && auxiliaries != null ? auxiliaries.newThread(() -> {}) : null;
        boolean virtual = made != null && VirtualThreads.isVirtual(made);
        return requireMaxThreads(threads, virtual ? MOST_WITH_VIRTUAL : MOST_THREADS);
    }

    /**
     * Sets how long a worker in excess of the core is kept after its last task. The default is 10 s.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public SpindleBuilder keepAlive(Duration time) {
        keepAliveNanos = Durations.toNanos(Durations.requirePositive("keepAlive", time));
        return this;
    }

    /**
     * Sets the number of growth episodes after which the core grows by one thread, up to the maximum. With 0, the core
     * never grows. An episode begins when blocked tasks require more workers than the core, and ends when all workers
     * beyond the core have ended. So the pool keeps the threads that a recurring load needs. The default is 10.
     *
     * @throws IllegalArgumentException if {@code episodes} is negative
     */
    public SpindleBuilder growCoreAfter(int episodes) {
        if (episodes < 0) {
            throw new IllegalArgumentException("growCoreAfter must be 0 or more, is " + episodes);
        }
        this.growCoreAfter = episodes;
        return this;
    }

    /**
     * Sets the maximum time for which the lane of an idle key is kept. The lane may be removed earlier. The default is
     * 1 s.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public SpindleBuilder keyKeepAlive(Duration time) {
        keyKeepAliveNanos = Durations.toNanos(Durations.requirePositive("keyKeepAlive", time));
        return this;
    }

    /**
     * Sets the maximum time for which {@code close()} of the spindle and of its parts (strands, groups, logical
     * executors, actors and pipelines) waits before it removes what has not started, interrupts the rest, logs a report
     * and returns. By default there is no limit, as for {@code ExecutorService.close} of JDK 19.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public SpindleBuilder closeTimeout(Duration time) {
        closeNanos = Durations.toNanos(Durations.requirePositive("closeTimeout", time));
        return this;
    }

    /**
     * Sets the maximum number of accepted tasks that wait in the executor, and the policy of submits that find this
     * number of tasks waiting. Tasks of logical executors are counted. Coalescing tasks are not counted. By default
     * there is no bound. A strand with its own capacity applies its own policy at this bound.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1, or if {@code policy} is
     *     {@link OnFull#callerRuns}, which would run tasks outside the turns of their lanes
     */
    public SpindleBuilder capacity(int tasks, OnFull policy) {
        this.onFull = requireNoCallerRuns(policy);
        this.capacity = requireBound("capacity", tasks);
        return this;
    }

    static int requireBound(String what, int tasks) {
        if (tasks < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, is " + tasks);
        }
        return tasks;
    }

    static int requireLimit(String what, int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException(what + " must be 0 or more, is " + limit + "; 0 pauses");
        }
        return limit;
    }

    static OnFull requireNoCallerRuns(OnFull policy) {
        if (Objects.requireNonNull(policy, "policy").kind == Admission.Kind.CALLER_RUNS) {
            throw new IllegalArgumentException("policy is " + policy + ", which only a logical executor supports");
        }
        return policy;
    }

    /**
     * Sets the factory of the workers' threads. By default, the threads are named after the executor, are not daemons,
     * and have normal priority. Their context class loader is the class loader of this library. They inherit no
     * thread-locals from the thread that starts them. With a user's factory, the factory determines all these
     * properties. Submitters and workers call the factory. After a failure, a short-lived daemon thread calls the
     * factory. If a task changes the name, priority, context class loader or thread-locals of its thread, the change is
     * not reset.
     *
     * <p>If the factory fails, no accepted task is lost. The existing threads continue, and while tasks wait, the
     * factory is called again after 10 ms. Submits are rejected if there is no thread. A slow factory delays the
     * calling thread. The creation of the first thread delays all submitters.
     *
     * <p>If a thread is {@link AutoCloseable}, its worker calls the {@code close} method of the thread as its last
     * action, before the executor terminates. So a resource of the thread, such as a reserved processor core, is free
     * when {@link Spindle#close} returns.
     */
    public SpindleBuilder threadFactory(ThreadFactory factory) {
        this.threadFactory = Objects.requireNonNull(factory, "threadFactory");
        return this;
    }

    /**
     * Sets the factory of auxiliary threads: the threads of workers in excess of the core. By default,
     * {@link #threadFactory} creates these threads.
     *
     * <p>With this factory, each worker is a core worker or an auxiliary worker until it ends. Idle core workers are
     * woken first, and only auxiliary workers end after the keep-alive. On JDK 21 and newer, auxiliary threads may be
     * virtual threads: {@code Thread.ofVirtual().name("aux-", 0).factory()}. Virtual threads cost little while tasks
     * block, and are started quickly, so {@link #maxThreads} may be large, and {@link Spindle#callBlocking} is not
     * needed.
     * A virtual thread that computes is not preempted, and occupies its carrier thread. If {@code maxThreads} is above
     * 32,000, {@link #build} makes one thread of the factory, which is not started.
     */
    public SpindleBuilder auxiliaryThreadFactory(ThreadFactory factory) {
        this.auxiliaryThreadFactory = Objects.requireNonNull(factory, "auxiliaryThreadFactory");
        return this;
    }

    /**
     * Sets whether auxiliary threads, those of workers in excess of the core, are virtual threads. The default is
     * false. Core threads are platform threads in either case. With virtual auxiliary threads, tens of thousands of
     * keys may block at once, each for about 4 kB, and {@link #maxThreads} is 10,000 unless it is set. An
     * {@link #auxiliaryThreadFactory} takes precedence; then this option has no effect.
     *
     * <p>Virtual threads require JDK 21. A task that blocks in native code keeps its carrier thread, and so does, until
     * JDK 23, a task that blocks inside {@code synchronized}; the process has as many carriers as processors. A task
     * that computes on a virtual thread keeps its carrier until it ends or blocks. While a core thread is idle, no
     * virtual worker begins another task.
     */
    public SpindleBuilder virtualThreads(boolean virtual) {
        this.virtualThreads = virtual;
        return this;
    }

    /** Sets the behaviour of workers without work. By default, such workers {@linkplain WaitStrategy#PARK park}. */
    public SpindleBuilder waitStrategy(WaitStrategy strategy) {
        spins = Objects.requireNonNull(strategy, "waitStrategy") != WaitStrategy.PARK;
        yields = strategy != WaitStrategy.SPIN;
        return this;
    }

    /**
     * Sets the handler of failed tasks. The handler is called if a task of {@code execute} or {@code coalesce} ends
     * with a throwable, or if a task without a future is dropped to make room. Other failures go to the future of the
     * task alone. {@link Activity#task} is the task as it was submitted, or the message that an actor could not handle.
     *
     * <p>The worker that ran the task calls the handler, before the next task of the same lane. For a dropped task, the
     * submitter of the newer task calls the handler. The handler must be thread-safe. If the handler throws, the
     * throwable is counted ({@link SpindleStats#handlerFailures()}) and ignored.
     *
     * <p>By default a failure is logged in one line and passed to the uncaught-exception handler of the worker's
     * thread. If the thread has only the default handler of the JDK, the failure is instead logged with its stack
     * trace. The worker continues.
     */
    public SpindleBuilder onFailure(BiConsumer<? super Activity, ? super Throwable> handler) {
        this.onFailure = Objects.requireNonNull(handler, "onFailure");
        return this;
    }

    /**
     * Sets a decorator, which carries a context (a trace, a tenant, logging fields) from the submitting thread to the
     * thread that runs the task. The submitting thread passes each task to the decorator, and the returned runnable
     * runs in place of the task. The runnable must call {@code run()} of that task exactly once, before it returns and
     * in the thread that runs it. By default there is no decorator.
     *
     * <pre>{@code
     * builder.taskDecorator(task -> {
     *     Map<String, String> fields = MDC.getCopyOfContextMap();
     *     return () -> {
     *         MDC.setContextMap(fields);
     *         try {
     *             task.run();
     *         } finally {
     *             MDC.clear();
     *         }
     *     };
     * });
     * }</pre>
     *
     * <p>The decorator must be thread-safe. A throwable of the decorator reaches the submitter, and nothing is
     * accepted. If the returned runnable throws, or does not run the task, the task fails with that throwable or with
     * an {@link IllegalStateException}. A throwable of the task does not reach the runnable: the
     * {@linkplain #onFailure failure handler} runs before the task's {@code run()} returns.
     *
     * <p>The runnable runs once for each run of a periodic task. A superseded coalescing task does not run; the newer
     * task runs with the context of its own submit. Messages, handlers and functions that are passed to actors,
     * pipelines, channels and endpoints on this spindle are decorated in the same way.
     */
    public SpindleBuilder taskDecorator(UnaryOperator<Runnable> decorator) {
        this.taskDecorator = Objects.requireNonNull(decorator, "taskDecorator");
        return this;
    }

    /**
     * Sets the time after which work is stuck: a task has run, an async task has been open, or the oldest pending task
     * of a lane or of a logical executor has waited for longer. If tasks of the lane or executor go on ending, the
     * waiting task is late, and not stuck. A paused lane is neither. Each case is reported once, as a line of the log,
     * to {@link #onStuck}, and as an event {@code dev.spindle.Stuck} of Flight Recorder: at most ten a second; the
     * others are counted. A case is found at most a quarter of {@code time}, or 1 s if that is less, after the time has
     * passed, and later in a pool of very many lanes, since looks take less than 1 % of a processor. The default is
     * 30 s. With zero, nothing is reported.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public SpindleBuilder stuckAfter(Duration time) {
        stuckNanos = Durations.requireLimit("stuckAfter", time);
        return this;
    }

    /**
     * Sets the handler of {@linkplain #stuckAfter stuck and late work}. {@link Activity#isLate} tells which of both the
     * activity is, and {@link Activity#runningFor} or {@link Activity#oldestAge} for how long. One call runs at a time,
     * on a thread that does nothing else. While a call blocks, the log and Flight Recorder have further reports, and
     * the last 100 wait. A throwable of the handler is counted in {@link SpindleStats#handlerFailures}.
     */
    public SpindleBuilder onStuck(Consumer<? super Activity> handler) {
        this.onStuck = Objects.requireNonNull(handler, "onStuck");
        return this;
    }

    /**
     * Sets whether the name of a worker's thread has the key, or the name of the strand, while the worker runs one of
     * its tasks: {@code "main-3 key orders/4711"}. A thread dump then tells which key is stuck. At most 64 characters
     * are added; control characters are replaced. The default is false, since the two changes of the name take about a
     * microsecond for each task.
     */
    public SpindleBuilder keyInThreadName(boolean named) {
        this.keyInThreadName = named;
        return this;
    }

    /**
     * Sets the number of tasks of which one is measured, for metrics: how long it ran, and how long it had waited for a
     * worker. The number is rounded up to a power of two. The default is 128, which costs the other tasks nothing; with
     * 1, each task costs two more readings of the clock. With 0, nothing is measured.
     *
     * @throws IllegalArgumentException if {@code tasks} is not from 0 to 1,048,576
     */
    public SpindleBuilder sampleOneIn(int tasks) {
        if (tasks < 0 || tasks > FEWEST_SAMPLES) {
            throw new IllegalArgumentException("sampleOneIn must be from 0 to " + FEWEST_SAMPLES + ", is " + tasks);
        }
        sampleOneIn = tasks < 2 ? tasks : Integer.highestOneBit(tasks - 1) << 1;
        return this;
    }

    /** Sets the clock, for tests. The timeouts of parked workers follow the system clock in any case. */
    SpindleBuilder clock(LongSupplier clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
        return this;
    }

    /**
     * Builds the executor. Threads start when tasks arrive.
     *
     * @throws IllegalArgumentException if an option is invalid or conflicts with another
     */
    public Spindle build() {
        int processors = Runtime.getRuntime().availableProcessors();
        int fewest = Math.min(processors, maxThreads == 0 ? MOST_THREADS : maxThreads); // T1
        int core = coreThreads != 0 ? coreThreads : fewest;
        boolean virtual = virtualThreads && auxiliaryThreadFactory == null;
        if (virtual && !VirtualThreads.exist()) {
            throw new IllegalArgumentException("virtualThreads(true) requires JDK 21 or newer, this is JDK "
                    + Runtime.version() + ": leave the option out, or run on a newer JDK");
        }
        int usual = virtual ? Math.max(USUAL_WITH_VIRTUAL, core) : Math.min(MOST_THREADS, Math.max(64, 8 * core));
        int max = maxThreads != 0 ? maxThreads : usual;
        if (!virtual) {
            int unused = requireMaxThreads(max, auxiliaryThreadFactory);
        }
        PoolConfig.requireCoreWithin(max, core);
        String chosen = name == null ? "spindle-" + NUMBERS.incrementAndGet() : name;
        ThreadFactory threads = threadFactory != null ? threadFactory : new DefaultThreads(chosen);
        Spindle spindle = new Spindle(this, chosen, core, max, threads);
        Pool.created(spindle);
        return spindle;
    }

    /** Returns the factory of auxiliary threads of an executor with this name, or null for that of all threads. */
    @Nullable
    ThreadFactory auxiliaries(String name) {
        boolean virtual = virtualThreads && auxiliaryThreadFactory == null;
        return virtual ? VirtualThreads.factory(name + "-virtual") : auxiliaryThreadFactory;
    }
}
