// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import com.google.common.util.concurrent.MoreExecutors;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.UnorderedEventExecutor;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntFunction;

/**
 * Many users of one pool: executors with a limit of their own, and keys that keep their order. The peers have no limit
 * other than one: their executors are serial, as their keys are.
 */
final class Arrangement {
    private final Executor[] executors;
    private final Executor[] keys;
    private final boolean ordered;

    /**
     * Makes all executors and keys.
     *
     * @param limit how many tasks of an executor may run at once, where that can be told
     */
    Arrangement(Contender contender, Executor pool, int executors, int limit, int keys) {
        this.executors = new Executor[executors];
        this.keys = new Executor[keys];
        ordered = contender != Contenders.PLAIN;
        if (contender == Contenders.SPINDLE) {
            Spindle spindle = (Spindle) pool;
            Keyed<Integer> keyed = spindle.keyed();
            Arrays.setAll(
                    this.executors,
                    index -> spindle.executor("user-" + index)
                            .maxConcurrency(limit)
                            .build());
            Arrays.setAll(this.keys, keyed::at);
        } else {
            IntFunction<Executor> wrapper = wrapper(contender, pool);
            Arrays.setAll(this.executors, wrapper);
            Arrays.setAll(this.keys, wrapper);
        }
    }

    private static IntFunction<Executor> wrapper(Contender contender, Executor pool) {
        if (contender == Contenders.PLAIN) {
            return index -> pool;
        }
        if (contender == Contenders.NON_STICKY) {
            NonStickyEventExecutorGroup group =
                    new NonStickyEventExecutorGroup(new UnorderedEventExecutor((ForkJoinPool) pool));
            return index -> group.next();
        }
        return index -> MoreExecutors.newSequentialExecutor(pool);
    }

    Executor executor(int index) {
        return executors[index];
    }

    Executor key(int index) {
        return keys[index];
    }

    /** Whether the tasks of a key have to run in the order of their submits. */
    boolean ordered() {
        return ordered;
    }
}
