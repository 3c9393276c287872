// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.Objects;

/** Builds a {@link LogicalExecutor} with options. Not thread-safe. May be reused after {@link #build}. */
public final class LogicalExecutorBuilder {
    final Spindle spindle;
    final String name;
    int maxConcurrency;
    int queueCapacity = 0;
    OnFull onFull = OnFull.reject();

    LogicalExecutorBuilder(Spindle spindle, String name) {
        this.spindle = spindle;
        this.name = Objects.requireNonNull(name, "name");
        maxConcurrency = spindle.executors().max();
    }

    /**
     * Sets the maximum number of the executor's tasks that run at once. The default is {@link SpindleBuilder#max} of
     * its spindle, which also limits a larger value.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public LogicalExecutorBuilder maxConcurrency(int tasks) {
        this.maxConcurrency = SpindleBuilder.requireBound("maxConcurrency", tasks);
        return this;
    }

    /**
     * Sets the maximum number of waiting tasks. A task that can run at once does not count as waiting: the executor
     * takes a burst of {@code maxConcurrency + queueCapacity} tasks, as a
     * {@link java.util.concurrent.ThreadPoolExecutor} does. By default there is no bound. A bound of the spindle
     * applies in addition.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public LogicalExecutorBuilder queueCapacity(int tasks) {
        this.queueCapacity = SpindleBuilder.requireBound("queueCapacity", tasks);
        return this;
    }

    /** Sets the policy of submits at the bound. It requires {@link #queueCapacity}. By default a submit is rejected. */
    public LogicalExecutorBuilder onFull(OnFull policy) {
        this.onFull = Objects.requireNonNull(policy, "onFull");
        return this;
    }

    /**
     * Builds the executor. It starts no thread, and is shut down from the start if its spindle is.
     *
     * @throws IllegalArgumentException if {@code onFull} is not {@code reject()} and there is no {@code queueCapacity}
     */
    public LogicalExecutor build() {
        onFull.requireBound(queueCapacity != 0, "queueCapacity");
        LogicalExecutor executor = new LogicalExecutor(this);
        executor.addTo(spindle.executors());
        return executor;
    }
}
