// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Contender;

/** The contenders of all comparisons. */
public final class Contenders {
    /** Performs the same work without a hand-over, on one thread per processor if possible. */
    public static final Contender LIMIT = Contender.limit("limit", "physical limit: the same work, no hand-over");

    public static final Contender SPINDLE = Contender.ours("spindle", "Spindle");
    public static final Contender SPINDLE_HANDLE = Contender.ours("spindle-handle", "Spindle, by handle");
    public static final Contender SPINDLE_OWN =
            Contender.ours("spindle-own", "Spindle, strand with a thread of its own");
    public static final Contender SPINDLE_SPIN =
            Contender.ours("spindle-spin", "Spindle, strand with a thread of its own that spins");
    public static final Contender SPINDLE_BULK =
            Contender.ours("spindle-bulk", "Spindle pipeline, 32 events published at a time");
    public static final Contender SPINDLE_ACTORS = Contender.ours("spindle-actors", "Spindle, actors");
    public static final Contender SPINDLE_STRANDS = Contender.ours("spindle-strands", "Spindle, strands");
    public static final Contender SPINDLE_PIPELINE = Contender.ours("spindle-pipeline", "Spindle, pipeline");
    public static final Contender SPINDLE_TASKS =
            Contender.ours("spindle-tasks", "Spindle, tasks and a strand that adds");

    /** Submits directly to the pool, without an executor or key per user. */
    public static final Contender PLAIN = Contender.reference("plain", "one plain Spindle, no order and no limits");

    // ---------------------------------------------------------------- pools
    public static final Contender TPE = Contender.peer("tpe", "ThreadPoolExecutor, linked queue");
    public static final Contender FJP = Contender.peer("fjp", "ForkJoinPool, async");
    public static final Contender VIRTUAL =
            Contender.peer("virtual", "a virtual thread per task").since(21);
    public static final Contender JBOSS = Contender.peer("jboss", "JBoss EnhancedQueueExecutor");
    public static final Contender NETTY_GROUP = Contender.peer("netty", "Netty DefaultEventExecutorGroup");
    public static final Contender CONVERSANT_POOL =
            Contender.peer("conversant", "ThreadPoolExecutor, Conversant's queue");

    // ---------------------------------------------------------------- tasks one after the other
    public static final Contender JDK = Contender.peer("jdk", "JDK newSingleThreadExecutor");
    public static final Contender SINGLE_THREADS =
            Contender.peer("single-threads", "one single-thread executor per key");
    public static final Contender GUAVA = Contender.peer("guava", "Guava sequential on a ForkJoinPool");
    public static final Contender GUAVA_TPE = Contender.peer("guava-tpe", "Guava sequential on a ThreadPoolExecutor");
    public static final Contender VERTX = Contender.peer("vertx", "Vert.x ordered on a ForkJoinPool");
    public static final Contender NON_STICKY = Contender.peer("netty-nonsticky", "Netty non-sticky on a ForkJoinPool");
    public static final Contender NETTY = Contender.peer("netty", "Netty DefaultEventExecutor");
    public static final Contender PEKKO = Contender.peer("pekko", "Pekko actors");
    /** Maps each key to one of a few threads, so that a slow key delays other keys. */
    public static final Contender STRIPES = Contender.peer("jraft", "SOFAJRaft stripes, key modulo threads");

    public static final Contender JRAFT = Contender.peer("jraft", "SOFAJRaft MpscSingleThreadExecutor");
    public static final Contender AGRONA = Contender.peer("agrona", "Agrona many-to-one ring, a thread that spins");

    public static final Contender CHANNEL_TASKS = Contender.ours("channel-tasks", "Spindle channel, two tasks");
    public static final Contender CHANNEL_VIRTUAL = Contender.ours(
                    "channel-virtual", "Spindle channel, two virtual threads")
            .since(21);
    public static final Contender JOX =
            Contender.peer("jox", "Jox channel, two virtual threads").since(21);
    public static final Contender QUEUE_VIRTUAL = Contender.peer(
                    "queue-virtual", "SynchronousQueue or ArrayBlockingQueue, two virtual threads")
            .since(21);
    public static final Contender THREADS = Contender.peer("threads", "a thread and an ArrayBlockingQueue each");

    // ---------------------------------------------------------------- pipelines
    public static final Contender BLOCKING = Contender.peer("disruptor-blocking", "Disruptor, blocking");
    public static final Contender YIELDING = Contender.peer("disruptor-yielding", "Disruptor, yielding");
    public static final Contender YIELDING_BULK =
            Contender.peer("disruptor-yielding-bulk", "Disruptor, yielding, 32 events published at a time");
    public static final Contender ABQ = Contender.peer("abq", "threads and ArrayBlockingQueues");
    public static final Contender CONVERSANT =
            Contender.peer("conversant", "threads and Conversant's DisruptorBlockingQueues");

    // ---------------------------------------------------------------- the latest value of each key
    public static final Contender COALESCING_RING =
            Contender.peer("ring", "coalescing ring buffer (LMAX's algorithm, made anew), a thread that polls");
    public static final Contender MAP_BLOCKING =
            Contender.peer("map-blocking", "map and LinkedBlockingQueue, a thread that waits");

    // ---------------------------------------------------------------- programs in Go and Rust
    public static final Contender GO = go("go", "Go, goroutines and channels");
    public static final Contender GO_POOL = go("go-pool", "Go, workers on a channel");
    public static final Contender RAYON_SERIAL = rust("rayon-serial", "Rust, a mutex and a queue each on rayon");
    public static final Contender TOKIO_ONE = rust("tokio-one", "Rust, tokio on one thread");
    public static final Contender CROSSBEAM = rust("crossbeam", "Rust, crossbeam channel, threads");
    public static final Contender KANAL = rust("kanal", "Rust, kanal channel");

    // ---------------------------------------------------------------- gateways, each a process of its own
    public static final Contender GATEWAY = Contender.ours("spindle", "Spindle gateway, one loop");
    public static final Contender GATEWAY_GUARDED = Contender.ours(
            "spindle-guarded", "Spindle gateway, one loop, each call with time limit, bulkhead, breaker");
    public static final Contender GATEWAY_ORDERED =
            Contender.ours("spindle-ordered", "Spindle gateway, one loop, requests in order per connection");
    public static final Contender RAW_NETTY = Contender.limit("netty", "raw Netty on one loop, the floor");
    public static final Contender VERTX_GATEWAY = Contender.peer("vertx", "Vert.x 5, one loop");
    public static final Contender TOMCAT = Contender.peer("tomcat", "Tomcat 11, platform threads");
    public static final Contender TOMCAT_VIRTUAL =
            Contender.peer("tomcat-virtual", "Tomcat 11, virtual threads").since(25);

    private Contenders() {}

    private static Contender go(String id, String title) {
        return Contender.peer(id, title).needing(NativeProgram.ToolChain.GO);
    }

    private static Contender rust(String id, String title) {
        return Contender.peer(id, title).needing(NativeProgram.ToolChain.RUST);
    }
}
