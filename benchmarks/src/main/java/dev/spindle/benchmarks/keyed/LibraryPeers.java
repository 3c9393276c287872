// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import com.alipay.sofa.jraft.util.concurrent.MpscSingleThreadExecutor;
import com.alipay.sofa.jraft.util.concurrent.SingleThreadExecutor;
import com.google.common.util.concurrent.MoreExecutors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.spindle.benchmarks.peers.UnorderedEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import io.vertx.core.impl.TaskQueue;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;

/** Other people's ways to keep tasks in order per key. Each key's handle is made before the clock starts. */
final class LibraryPeers {
    private LibraryPeers() {}

    static KeyedExecutor guava(int keys, int processors) {
        ForkJoinPool pool = JdkPeers.asyncForkJoinPool(processors);
        Executor[] executors = new Executor[keys];
        Arrays.setAll(executors, key -> MoreExecutors.newSequentialExecutor(pool));
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                executors[key].execute(task);
            }

            @Override
            public void close() {
                JdkPeers.close(pool);
            }
        };
    }

    /** The queue behind a Vert.x worker context: what keeps {@code executeBlocking(ordered)} in order. */
    static KeyedExecutor vertx(int keys, int processors) {
        ForkJoinPool pool = JdkPeers.asyncForkJoinPool(processors);
        TaskQueue[] queues = new TaskQueue[keys];
        Arrays.setAll(queues, key -> new TaskQueue());
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                queues[key].execute(task, pool);
            }

            @Override
            public void close() {
                JdkPeers.close(pool);
            }
        };
    }

    static KeyedExecutor netty(int keys, int processors) {
        ForkJoinPool pool = JdkPeers.asyncForkJoinPool(processors);
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
                JdkPeers.close(pool);
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

    static KeyedExecutor pekko(int keys, int processors) {
        Config config = ConfigFactory.parseString("pekko.actor.default-dispatcher {"
                        + " executor = fork-join-executor,"
                        + " fork-join-executor { parallelism-min = " + processors
                        + ", parallelism-max = " + processors + " } }\n"
                        + "pekko.log-dead-letters = off, pekko.loglevel = OFF, pekko.stdout-loglevel = OFF")
                .withFallback(ConfigFactory.load());
        ActorSystem system = ActorSystem.create("peer", config);
        ActorRef[] actors = new ActorRef[keys];
        Arrays.setAll(actors, key -> system.actorOf(Props.create(TaskActor.class, TaskActor::new)));
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                actors[key].tell(task, ActorRef.noSender());
            }

            @Override
            public void close() {
                try {
                    Await.ready(system.terminate(), Duration.create(30, TimeUnit.SECONDS));
                } catch (Exception e) {
                    throw new IllegalStateException("the actor system did not end", e);
                }
            }
        };
    }

    /** An actor is a key, a message is its task. */
    static final class TaskActor extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder().match(Runnable.class, Runnable::run).build();
        }
    }
}
