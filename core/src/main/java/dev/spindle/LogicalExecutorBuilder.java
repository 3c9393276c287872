// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.Objects;

/**
 * Builds a {@link LogicalExecutor} with options. By default, an executor has no limits of its own: as many tasks run at
 * once as the spindle has threads, and any number of tasks may wait. Not thread-safe. May be reused after
 * {@link #build}.
 */
public final class LogicalExecutorBuilder {
    final Spindle spindle;
    final String name;
    private int maxConcurrency; // 0 for the maximum number of threads
    int capacity = Integer.MAX_VALUE;
    OnFull onFull = OnFull.reject();

    LogicalExecutorBuilder(Spindle spindle, String name) {
        this.spindle = spindle;
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Sets the maximum number of the executor's tasks that run at once. The default is
     * {@link SpindleBuilder#maxThreads} of its spindle, and follows {@link Spindle#setMaxThreads}. A larger value has
     * no further effect.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public LogicalExecutorBuilder maxConcurrency(int tasks) {
        this.maxConcurrency = SpindleBuilder.requireBound("maxConcurrency", tasks);
        return this;
    }

    /**
     * Sets the maximum number of waiting tasks, and the policy of submits that find this number of tasks waiting. A
     * task that can run at once does not count as waiting: the executor takes a burst of
     * {@code maxConcurrency + capacity} tasks, as a {@link java.util.concurrent.ThreadPoolExecutor} does. By default
     * there is no bound. A bound of the spindle applies in addition, with the policy of the spindle.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public LogicalExecutorBuilder capacity(int tasks, OnFull policy) {
        this.onFull = Objects.requireNonNull(policy, "policy");
        this.capacity = SpindleBuilder.requireBound("capacity", tasks);
        return this;
    }

    int tokens() {
        return maxConcurrency == 0 ? spindle.pool().maxThreads() : maxConcurrency;
    }

    /** Builds the executor. Starts no thread. The executor is shut down from the start if its spindle is shut down. */
    public LogicalExecutor build() {
        LogicalExecutor executor = new LogicalExecutor(this);
        executor.addTo(spindle.kernel().executors(), maxConcurrency == 0);
        return executor;
    }
}
