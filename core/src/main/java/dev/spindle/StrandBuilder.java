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
 * Builds a {@link Strand}, or a {@link StrandGroup}. A strand of a builder from {@link Spindle#strandBuilder} uses the
 * threads of that spindle. A strand of a builder from {@link Strand#builder(String)} has its own thread. Not
 * thread-safe. May be reused after {@link #build}.
 */
public final class StrandBuilder {
    /** The maximum number of strands of a group. Not measured. */
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

    /** Creates a builder for strands with their own threads. Without a factory, a thread has the name of its strand. */
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
     * Sets the maximum number of waiting tasks, and the policy of submits that find this number of tasks waiting. The
     * policy also applies to submits that find no room at the bound of the spindle. Coalescing tasks are not counted.
     * By default, a strand has no bound of its own.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1, or if {@code policy} is
     *     {@link OnFull#callerRuns}, which would run tasks concurrently with those of the strand
     */
    public StrandBuilder capacity(int tasks, OnFull policy) {
        this.onFull = SpindleBuilder.requireNoCallerRuns(policy);
        this.capacity = SpindleBuilder.requireBound("capacity", tasks);
        return this;
    }

    /**
     * Sets the time without a submit after which a {@linkplain Strand#shutdown shutdown} of the strand takes effect.
     * Until then, running tasks and other threads can submit further tasks. The default is 0: a shutdown takes effect
     * at once.
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
     * Sets the handler of failures of a strand with its own thread, as {@link SpindleBuilder#onFailure} does for a
     * spindle.
     */
    public StrandBuilder onFailure(BiConsumer<? super Activity, ? super Throwable> handler) {
        this.onFailure = Objects.requireNonNull(handler, "onFailure");
        return this;
    }

    /**
     * Builds the strand. If the strand has its own thread, the first submit starts the thread.
     *
     * @throws IllegalArgumentException if {@code onFailure} was set for a strand on a spindle, whose failures go to the
     *     handler of the spindle
     */
    public Strand build() {
        return build(name);
    }

    /**
     * Builds a group of strands. The name of a strand is the name of the builder, a hyphen, and the index of the
     * strand.
     *
     * @param strands the number of strands, from 1 to 65,536
     * @throws IllegalArgumentException if {@code strands} is out of range, or if {@link #build} throws this exception
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
