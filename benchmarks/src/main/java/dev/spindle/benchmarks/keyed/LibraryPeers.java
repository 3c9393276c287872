// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import com.alipay.sofa.jraft.util.concurrent.MpscSingleThreadExecutor;
import com.alipay.sofa.jraft.util.concurrent.SingleThreadExecutor;
import com.google.common.util.concurrent.MoreExecutors;
import dev.spindle.benchmarks.peers.Actors;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.peers.UnorderedEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import io.vertx.core.impl.TaskQueue;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;

/** Other people's ways to keep tasks in order per key. Each key's handle is made before the clock starts. */
final class LibraryPeers {
    private LibraryPeers() {}

    static KeyedExecutor guava(int keys, int processors) {
        ForkJoinPool pool = Pools.asyncForkJoin(processors);
        Executor[] executors = new Executor[keys];
        Arrays.setAll(executors, key -> MoreExecutors.newSequentialExecutor(pool));
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                executors[key].execute(task);
            }

            @Override
            public void close() {
                Pools.close(pool);
            }
        };
    }

    /** The queue behind a Vert.x worker context: what keeps {@code executeBlocking(ordered)} in order. */
    static KeyedExecutor vertx(int keys, int processors) {
        ForkJoinPool pool = Pools.asyncForkJoin(processors);
        TaskQueue[] queues = new TaskQueue[keys];
        Arrays.setAll(queues, key -> new TaskQueue());
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                queues[key].execute(task, pool);
            }

            @Override
            public void close() {
                Pools.close(pool);
            }
        };
    }

    static KeyedExecutor netty(int keys, int processors) {
        ForkJoinPool pool = Pools.asyncForkJoin(processors);
        NonStickyEventExecutorGroup group = new NonStickyEventExecutorGroup(new UnorderedEventExecutor(pool));
        EventExecutor[] executors = new EventExecutor[keys];
        Arrays.setAll(executors, key -> group.next());
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                executors[key].execute(task);
            }

            @Override
            public void close() {
                Pools.close(pool);
            }
        };
    }

    /** One thread per processor, and a key belongs to one of them: no order is lost, and no work is shared. */
    static KeyedExecutor jraft(int processors) {
        SingleThreadExecutor[] stripes = new SingleThreadExecutor[processors];
        Arrays.setAll(
                stripes,
                stripe -> new MpscSingleThreadExecutor(Integer.MAX_VALUE, task -> {
                    Thread thread = new Thread(task, "jraft-" + stripe);
                    thread.setDaemon(true);
                    return thread;
                }));
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                stripes[key % stripes.length].execute(task);
            }

            @Override
            public void close() {
                for (SingleThreadExecutor stripe : stripes) {
                    stripe.shutdownGracefully(10, TimeUnit.SECONDS);
                }
            }
        };
    }

    /** An actor is a key, a message is its task. */
    static KeyedExecutor pekko(int keys, int processors) {
        Actors system = new Actors(processors, Actors.USUAL_THROUGHPUT);
        ActorRef[] actors = new ActorRef[keys];
        Arrays.setAll(actors, key -> system.taskActor());
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                actors[key].tell(task, ActorRef.noSender());
            }

            @Override
            public void close() {
                system.close();
            }
        };
    }
}
