// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.Objects;

/** Makes a {@link LogicalExecutor} with options. Not thread-safe; may be used again. */
public final class LogicalExecutorBuilder {
    final LogicalExecutors all;
    final String name;
    int maxConcurrency;
    int queueCapacity = 0;
    OnFull onFull = OnFull.reject();

    LogicalExecutorBuilder(LogicalExecutors all, String name) {
        this.all = all;
        this.name = Objects.requireNonNull(name, "name");
        maxConcurrency = all.max();
    }

    /**
     * Sets how many of the executor's tasks may run at once. By default {@link SpindleBuilder#max} of its spindle,
     * which a larger number cannot pass either.
     *
     * @throws IllegalArgumentException if {@code tasks} is below 1
     */
    public LogicalExecutorBuilder maxConcurrency(int tasks) {
        this.maxConcurrency = SpindleBuilder.requireBound("maxConcurrency", tasks);
        return this;
    }

    /**
     * Sets how many accepted tasks may wait, besides those that could run at once: the executor takes a burst of {@code
     * maxConcurrency + queueCapacity} tasks, as a {@link java.util.concurrent.ThreadPoolExecutor} does. By default
     * there is no bound. A bound of the spindle holds besides.
     *
     * @throws IllegalArgumentException if {@code tasks} is below 1
     */
    public LogicalExecutorBuilder queueCapacity(int tasks) {
        this.queueCapacity = SpindleBuilder.requireBound("queueCapacity", tasks);
        return this;
    }

    /** Sets what a submit does at the bound; to be set together with {@link #queueCapacity}. By default it rejects. */
    public LogicalExecutorBuilder onFull(OnFull policy) {
        this.onFull = Objects.requireNonNull(policy, "onFull");
        return this;
    }

    /**
     * Makes the executor, which has been shut down already if its spindle has. Starts no thread.
     *
     * @throws IllegalArgumentException if {@code onFull} was set, and not to reject, without a {@code queueCapacity}
     */
    public LogicalExecutor build() {
        onFull.requireBound(queueCapacity != 0, "queueCapacity");
        LogicalExecutor executor = new LogicalExecutor(this);
        all.add(executor);
        return executor;
    }
}
