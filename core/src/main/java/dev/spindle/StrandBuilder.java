// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.pool.DefaultThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Strand}, or a {@link StrandGroup}. Without {@link #on} each strand has its own thread; with it the
 * strands share the threads of a spindle and otherwise behave the same. Not thread-safe. May be reused after
 * {@link #build}.
 */
public final class StrandBuilder {
    private static final int MOST_MEMBERS = 1 << 16;

    private final String name;
    private @Nullable Spindle spindle;
    private int capacity;
    private OnFull onFull = OnFull.reject();
    private @Nullable WaitStrategy waitStrategy;
    private @Nullable ThreadFactory threadFactory;
    private @Nullable FailureHandler onFailure;

    StrandBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** Puts the strand on the threads of {@code spindle}. By default it has its own thread. */
    public StrandBuilder on(Spindle spindle) {
        this.spindle = Objects.requireNonNull(spindle, "spindle");
        return this;
    }

    /**
     * Sets the maximum number of waiting tasks; coalescing tasks are not counted. By default there is no bound or, on a
     * spindle, its {@link SpindleBuilder#capacityPerKey}.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public StrandBuilder capacity(int tasks) {
        this.capacity = SpindleBuilder.requireBound("capacity", tasks);
        return this;
    }

    /**
     * Sets the policy of submits at the capacity. It requires {@link #capacity}. By default a submit is rejected.
     *
     * @throws IllegalArgumentException for {@link OnFull#callerRuns}, which would run tasks concurrently with the
     *     strand's
     */
    public StrandBuilder onFull(OnFull policy) {
        this.onFull = SpindleBuilder.requireNoCallerRuns(policy);
        return this;
    }

    /**
     * Sets the behaviour of the strand's own thread without work. By default it {@linkplain WaitStrategy#PARK parks}.
     */
    public StrandBuilder waitStrategy(WaitStrategy strategy) {
        this.waitStrategy = Objects.requireNonNull(strategy, "waitStrategy");
        return this;
    }

    /**
     * Sets the factory of the strand's own thread, which may pin it to a core, for example. By default the thread has
     * the strand's name and the other properties that {@link SpindleBuilder#threadFactory} describes: it is not a
     * daemon and inherits nothing from the thread that starts it.
     */
    public StrandBuilder threadFactory(ThreadFactory factory) {
        this.threadFactory = Objects.requireNonNull(factory, "threadFactory");
        return this;
    }

    /**
     * Sets the handler of failed tasks that have no future, for a strand with its own thread. By default failures are
     * logged.
     */
    public StrandBuilder onFailure(FailureHandler handler) {
        this.onFailure = Objects.requireNonNull(handler, "onFailure");
        return this;
    }

    /**
     * Builds the strand. Its own thread, if it has one, starts with the first task.
     *
     * @throws IllegalArgumentException if an option for an own thread was set for a strand on a spindle, or if
     *     {@code onFull} is not {@code reject()} and there is no {@code capacity}
     */
    public Strand build() {
        return build(name);
    }

    /**
     * Builds a group of strands. The name of a strand is the name of the builder with the strand's index.
     *
     * @param size the number of strands, from 1 to 65,536
     * @throws IllegalArgumentException if {@code size} is out of range, or as {@link #build} does
     */
    public StrandGroup group(int size) {
        if (size < 1 || size > MOST_MEMBERS) {
            throw new IllegalArgumentException("size must be from 1 to " + MOST_MEMBERS + ", is " + size);
        }
        List<Strand> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(build(name + "-" + i));
        }
        return new StrandGroup(name, members);
    }

    private Strand build(String strand) {
        onFull.requireBound(capacity != 0, "capacity");
        Spindle shared = spindle;
        if (shared == null) {
            return new Strand(ownSpindle(strand), strand, true, capacity, onFull);
        }
        refuse("waitStrategy", waitStrategy);
        refuse("threadFactory", threadFactory);
        refuse("onFailure", onFailure);
        return new Strand(shared, strand, false, capacity, onFull);
    }

    private void refuse(String option, @Nullable Object value) {
        if (value != null) {
            throw new IllegalArgumentException(option + " is for a strand with its own thread, but strand " + name
                    + " is on " + spindle + "; set it there");
        }
    }

    private Spindle ownSpindle(String strand) {
        SpindleBuilder options = Spindle.builder().name(strand).core(1).max(1).coreBumpAfter(0);
        options.threadFactory(threadFactory != null ? threadFactory : DefaultThreads.named(strand));
        if (waitStrategy != null) {
            options.waitStrategy(waitStrategy);
        }
        if (onFailure != null) {
            options.onFailure(onFailure);
        }
        return options.build();
    }
}
