// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import static dev.spindle.benchmarks.compare.Contender.limit;
import static dev.spindle.benchmarks.compare.Contender.ours;
import static dev.spindle.benchmarks.compare.Contender.peer;
import static dev.spindle.benchmarks.compare.Contender.reference;

import dev.spindle.benchmarks.compare.Contender;

/** The contenders of all comparisons. */
public final class Contenders {
    /** Performs the same work without a hand-over, on one thread per processor if possible. */
    public static final Contender LIMIT = limit("limit", "physical limit: the same work, no hand-over");

    public static final Contender SPINDLE = ours("spindle", "Spindle");
    public static final Contender SPINDLE_ELASTIC =
            ours("spindle-elastic", "Spindle, a core thread per processor, auxiliary ones up to the number");
    public static final Contender SPINDLE_VIRTUAL = ours(
                    "spindle-virtual", "Spindle, a core thread per processor, virtual ones up to the number")
            .since(21);
    public static final Contender SPINDLE_HANDLE = ours("spindle-handle", "Spindle, by handle");
    public static final Contender SPINDLE_OWN = ours("spindle-own", "Spindle, strand with a thread of its own");
    public static final Contender SPINDLE_SPIN =
            ours("spindle-spin", "Spindle, strand with a thread of its own that spins");
    public static final Contender SPINDLE_BULK =
            ours("spindle-bulk", "Spindle pipeline, 32 events published at a time");
    public static final Contender SPINDLE_ACTORS = ours("spindle-actors", "Spindle, actors");
    public static final Contender SPINDLE_UNBOUNDED = ours("spindle-unbounded", "Spindle, actors, capacity 10^9");
    public static final Contender SPINDLE_STRANDS = ours("spindle-strands", "Spindle, strands");
    public static final Contender SPINDLE_PIPELINE = ours("spindle-pipeline", "Spindle, pipeline");
    public static final Contender SPINDLE_TASKS = ours("spindle-tasks", "Spindle, tasks and a strand that adds");

    /** Submits directly to the pool, without an executor or key per user. */
    public static final Contender PLAIN = reference("plain", "one plain Spindle, no order and no limits");

    // ---------------------------------------------------------------- pools
    public static final Contender TPE = peer("tpe", "ThreadPoolExecutor, linked queue");
    public static final Contender FJP = peer("fjp", "ForkJoinPool, async");
    public static final Contender VIRTUAL =
            peer("virtual", "a virtual thread per task").since(21);
    public static final Contender JBOSS = peer("jboss", "JBoss EnhancedQueueExecutor");
    public static final Contender NETTY_GROUP = peer("netty", "Netty DefaultEventExecutorGroup");
    public static final Contender CONVERSANT_POOL = peer("conversant", "ThreadPoolExecutor, Conversant's queue");

    // ---------------------------------------------------------------- tasks one after the other
    public static final Contender JDK = peer("jdk", "JDK newSingleThreadExecutor");
    public static final Contender SINGLE_THREADS = peer("single-threads", "one single-thread executor per key");
    public static final Contender GUAVA = peer("guava", "Guava sequential on a ForkJoinPool");
    public static final Contender GUAVA_TPE = peer("guava-tpe", "Guava sequential on a ThreadPoolExecutor");
    public static final Contender VERTX = peer("vertx", "Vert.x ordered on a ForkJoinPool");
    public static final Contender NON_STICKY = peer("netty-nonsticky", "Netty non-sticky on a ForkJoinPool");
    public static final Contender NETTY = peer("netty", "Netty DefaultEventExecutor");
    public static final Contender PEKKO = peer("pekko", "Pekko actors");
    public static final Contender PEKKO_BOUNDED = peer("pekko-bounded", "Pekko actors, bounded mailboxes");
    /** Maps each key to one of a few threads, so that a slow key delays other keys. */
    public static final Contender STRIPES = peer("jraft", "SOFAJRaft stripes, key modulo threads");

    public static final Contender JRAFT = peer("jraft", "SOFAJRaft MpscSingleThreadExecutor");
    public static final Contender AGRONA = peer("agrona", "Agrona many-to-one ring, a thread that spins");

    public static final Contender CHANNEL_TASKS = ours("channel-tasks", "Spindle channel, two tasks");
    public static final Contender CHANNEL_VIRTUAL =
            ours("channel-virtual", "Spindle channel, two virtual threads").since(21);
    public static final Contender JOX =
            peer("jox", "Jox channel, two virtual threads").since(21);
    public static final Contender QUEUE_VIRTUAL = peer(
                    "queue-virtual", "SynchronousQueue or ArrayBlockingQueue, two virtual threads")
            .since(21);
    public static final Contender THREADS = peer("threads", "a thread and an ArrayBlockingQueue each");

    // ---------------------------------------------------------------- pipelines
    public static final Contender BLOCKING = peer("disruptor-blocking", "Disruptor, blocking");
    public static final Contender YIELDING = peer("disruptor-yielding", "Disruptor, yielding");
    public static final Contender YIELDING_BULK =
            peer("disruptor-yielding-bulk", "Disruptor, yielding, 32 events published at a time");
    public static final Contender ABQ = peer("abq", "threads and ArrayBlockingQueues");
    public static final Contender CONVERSANT = peer("conversant", "threads and Conversant's DisruptorBlockingQueues");

    // ---------------------------------------------------------------- the latest value of each key
    public static final Contender COALESCING_RING =
            peer("ring", "coalescing ring buffer (LMAX's algorithm, made anew), a thread that polls");
    public static final Contender MAP_BLOCKING =
            peer("map-blocking", "map and LinkedBlockingQueue, a thread that waits");

    // ---------------------------------------------------------------- programs in Go and Rust
    public static final Contender GO = go("go", "Go, goroutines and channels");
    public static final Contender GO_POOL = go("go-pool", "Go, workers on a channel");
    public static final Contender RAYON_SERIAL = rust("rayon-serial", "Rust, a mutex and a queue each on rayon");
    public static final Contender TOKIO_ONE = rust("tokio-one", "Rust, tokio on one thread");
    public static final Contender CROSSBEAM = rust("crossbeam", "Rust, crossbeam channel, threads");
    public static final Contender KANAL = rust("kanal", "Rust, kanal channel");

    // ---------------------------------------------------------------- gateways, each a process of its own
    public static final Contender GATEWAY = ours("spindle", "Spindle gateway, one loop");
    public static final Contender GATEWAY_GUARDED =
            ours("spindle-guarded", "Spindle gateway, one loop, each call with time limit, bulkhead, breaker");
    public static final Contender GATEWAY_ORDERED =
            ours("spindle-ordered", "Spindle gateway, one loop, requests in order per connection");
    public static final Contender RAW_NETTY = limit("netty", "raw Netty on one loop, the floor");
    public static final Contender VERTX_GATEWAY = peer("vertx", "Vert.x 5, one loop");
    public static final Contender TOMCAT = peer("tomcat", "Tomcat 11, platform threads");
    public static final Contender TOMCAT_VIRTUAL =
            peer("tomcat-virtual", "Tomcat 11, virtual threads").since(25);

    private Contenders() {}

    private static Contender go(String id, String title) {
        return peer(id, title).needing(NativeProgram.ToolChain.GO);
    }

    private static Contender rust(String id, String title) {
        return peer(id, title).needing(NativeProgram.ToolChain.RUST);
    }
}
