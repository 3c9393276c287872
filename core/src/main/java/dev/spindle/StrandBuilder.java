// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.pool.DefaultThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Strand}, or a {@link StrandGroup}. The strands of a builder from {@link Spindle#strandBuilder} share
 * the threads of that spindle. Those of a builder from {@link Strand#builder(String)} have a thread each and otherwise
 * behave the same. Not thread-safe. May be reused after {@link #build}.
 */
public final class StrandBuilder {
    private static final int MOST_MEMBERS = 1 << 16;

    private final String name;
    private final @Nullable Spindle shared;
    private final @Nullable ThreadFactory threadFactory;
    private final WaitStrategy waitStrategy;
    private int capacity;
    private OnFull onFull = OnFull.reject();
    private Duration quietPeriod = Duration.ZERO;
    private @Nullable BiConsumer<? super Activity, ? super Throwable> onFailure;

    /** Creates a builder for strands on {@code shared}. */
    StrandBuilder(Spindle shared, String name) {
        this(name, shared, null, WaitStrategy.PARK);
    }

    /** Creates a builder for strands with a thread each; without a factory their threads are named after them. */
    StrandBuilder(String name, @Nullable ThreadFactory threadFactory, WaitStrategy waitStrategy) {
        this(name, null, threadFactory, waitStrategy);
    }

    private StrandBuilder(
            String name, @Nullable Spindle shared, @Nullable ThreadFactory threadFactory, WaitStrategy waitStrategy) {
        this.name = Objects.requireNonNull(name, "name");
        this.shared = shared;
        this.threadFactory = threadFactory;
        this.waitStrategy = waitStrategy;
    }

    /**
     * Sets the maximum number of waiting tasks, and the policy of submits that find this number of tasks waiting, or
     * that find no room at the bound of the spindle. Coalescing tasks are not counted. By default there is no bound or,
     * on a spindle, its {@link SpindleBuilder#capacityPerKey}.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1, or for {@link OnFull#callerRuns}, which would
     *     run tasks concurrently with the strand's
     */
    public StrandBuilder capacity(int tasks, OnFull policy) {
        this.onFull = SpindleBuilder.requireNoCallerRuns(policy);
        this.capacity = SpindleBuilder.requireBound("capacity", tasks);
        return this;
    }

    /**
     * Sets the time without a submit after which a {@linkplain Strand#shutdown shutdown} of the strand takes effect.
     * Until then running tasks, and threads that wait for them, can submit follow-up tasks. The default is 0: a
     * shutdown takes effect at once.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public StrandBuilder quietPeriod(Duration time) {
        if (Objects.requireNonNull(time, "quietPeriod").isNegative()) {
            throw new IllegalArgumentException("quietPeriod must be 0 or more, is " + time);
        }
        this.quietPeriod = time;
        return this;
    }

    /**
     * Sets the handler of failed tasks that have no future, for a strand with its own thread, as
     * {@link SpindleBuilder#onFailure} does. By default failures are logged.
     */
    public StrandBuilder onFailure(BiConsumer<? super Activity, ? super Throwable> handler) {
        this.onFailure = Objects.requireNonNull(handler, "onFailure");
        return this;
    }

    /**
     * Builds the strand. Its own thread, if it has one, starts with the first task.
     *
     * @throws IllegalArgumentException if {@code onFailure} was set for a strand on a spindle, which has a handler
     */
    public Strand build() {
        return build(name);
    }

    /**
     * Builds a group of strands. The name of a strand is the name of the builder with the strand's index.
     *
     * @param strands the number of strands, from 1 to 65,536
     * @throws IllegalArgumentException if {@code strands} is out of range, or as {@link #build} does
     */
    public StrandGroup buildGroup(int strands) {
        if (strands < 1 || strands > MOST_MEMBERS) {
            throw new IllegalArgumentException("strands must be from 1 to " + MOST_MEMBERS + ", is " + strands);
        }
        List<Strand> members = new ArrayList<>();
        for (int i = 0; i < strands; i++) {
            members.add(build(name + "-" + i));
        }
        return new StrandGroup(name, members);
    }

    private Strand build(String strand) {
        long quiet = Durations.toNanos(quietPeriod);
        Spindle spindle = shared;
        if (spindle == null) {
            return new Strand(ownSpindle(strand), strand, true, capacity, onFull, quiet);
        }
        if (onFailure != null) {
            throw new IllegalArgumentException("onFailure is for a strand with its own thread, but strand " + name
                    + " is on " + spindle + "; set it there");
        }
        return new Strand(spindle, strand, false, capacity, onFull, quiet);
    }

    private Spindle ownSpindle(String strand) {
        SpindleBuilder options = Spindle.builder()
                .name(strand)
                .coreThreads(1)
                .maxThreads(1)
                .growCoreAfter(0)
                .waitStrategy(waitStrategy)
                .threadFactory(threadFactory != null ? threadFactory : DefaultThreads.named(strand));
        if (onFailure != null) {
            options.onFailure(onFailure);
        }
        return options.build();
    }
}
