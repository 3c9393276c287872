// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Contender;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Who keeps events in order by key, and how.
 *
 * @param maxKeys takes no part with more
 * @param maker makes it for a workload, outside the clock
 */
record Entrant(Contender contender, int maxKeys, Maker maker) {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int MOST_THREADS = 1_000;

    static final Entrant LIMIT = new Entrant(
            Contender.limit("limit", "physical limit: plain threads, no queue"),
            Integer.MAX_VALUE,
            workload -> new PlainThreads(workload, PROCESSORS));

    static final Entrant SPINDLE = keyed(Contender.ours("spindle", "Spindle, by key"), SpindleSubjects::byKey);

    static final Entrant SPINDLE_HANDLE =
            keyed(Contender.ours("spindle-handle", "Spindle, by handle"), SpindleSubjects::byHandle);

    static final Entrant SINGLE_THREADS = new Entrant(
            Contender.peer("single-threads", "one single-thread executor per key"),
            MOST_THREADS,
            workload -> JdkPeers.threadPerKey(workload.keys()));

    static final Entrant GUAVA = keyed(
            Contender.peer("guava", "Guava sequential on ForkJoinPool"), keys -> LibraryPeers.guava(keys, PROCESSORS));

    static final Entrant VERTX = keyed(
            Contender.peer("vertx", "Vert.x ordered on ForkJoinPool"), keys -> LibraryPeers.vertx(keys, PROCESSORS));

    static final Entrant NETTY = keyed(
            Contender.peer("netty", "Netty non-sticky on ForkJoinPool"), keys -> LibraryPeers.netty(keys, PROCESSORS));

    static final Entrant PEKKO =
            keyed(Contender.peer("pekko", "Pekko actors"), keys -> LibraryPeers.pekko(keys, PROCESSORS));

    /** Binds each key to one of a few threads: fast, and a slow key stalls its neighbours. */
    static final Entrant JRAFT = keyed(
            Contender.peer("jraft", "SOFAJRaft stripes, key modulo threads"), keys -> LibraryPeers.jraft(PROCESSORS));

    /** Those that share their threads among all keys, as Spindle does. */
    static final List<Entrant> EXACT_KEY = List.of(GUAVA, VERTX, NETTY, PEKKO);

    /** In the order of the rows. */
    static final List<Entrant> ALL =
            List.of(LIMIT, SPINDLE, SPINDLE_HANDLE, SINGLE_THREADS, GUAVA, VERTX, NETTY, PEKKO, JRAFT);

    /** Makes a contender ready. */
    interface Maker {
        Sink open(Workload workload);
    }

    private static Entrant keyed(Contender contender, IntFunction<KeyedExecutor> executor) {
        return new Entrant(contender, Integer.MAX_VALUE, workload -> executor.apply(workload.keys()));
    }

    /** Whether it has an executor that takes a task for a key. */
    boolean hasKeys() {
        return contender.family() != Contender.Family.LIMIT;
    }
}
