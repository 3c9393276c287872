// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who takes part. The order here is the order of the rows. */
enum Contender {
    LIMIT("limit", "physical limit: plain threads, no queue", Family.LIMIT, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return new PlainThreads(workload, processors);
        }
    },
    SPINDLE("spindle", "Spindle, by key", Family.OURS, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return SpindleSubjects.byKey(workload.keys());
        }
    },
    SPINDLE_HANDLE("spindle-handle", "Spindle, by handle", Family.OURS, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return SpindleSubjects.byHandle(workload.keys());
        }
    },
    SINGLE_THREADS("single-threads", "one single-thread executor per key", Family.THREAD_PER_KEY, 1_000) {
        @Override
        Subject open(Workload workload, int processors) {
            return JdkPeers.threadPerKey(workload.keys());
        }
    },
    GUAVA("guava", "Guava sequential on ForkJoinPool", Family.EXACT_KEY, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return LibraryPeers.guava(workload.keys(), processors);
        }
    },
    VERTX("vertx", "Vert.x ordered on ForkJoinPool", Family.EXACT_KEY, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return LibraryPeers.vertx(workload.keys(), processors);
        }
    },
    NETTY("netty", "Netty non-sticky on ForkJoinPool", Family.EXACT_KEY, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return LibraryPeers.netty(workload.keys(), processors);
        }
    },
    PEKKO("pekko", "Pekko actors", Family.EXACT_KEY, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return LibraryPeers.pekko(workload.keys(), processors);
        }
    },
    JRAFT("jraft", "SOFAJRaft stripes, key modulo threads", Family.STRIPES, Integer.MAX_VALUE) {
        @Override
        Subject open(Workload workload, int processors) {
            return LibraryPeers.jraft(processors);
        }
    };

    /** How a contender keeps the order, since the goals differ by it. */
    enum Family {
        LIMIT,
        OURS,
        THREAD_PER_KEY,
        /** Shares its threads among all keys. */
        EXACT_KEY,
        /** Binds each key to one of a few threads: fast, and a slow key stalls its neighbours. */
        STRIPES
    }

    private final String id;
    private final String title;
    private final Family family;
    private final int maxKeys;

    Contender(String id, String title, Family family, int maxKeys) {
        this.id = id;
        this.title = title;
        this.family = family;
        this.maxKeys = maxKeys;
    }

    /** Sets the contender up for a workload on so many processors, outside the clock. */
    abstract Subject open(Workload workload, int processors);

    /** What {@code --contenders} calls it. */
    String id() {
        return id;
    }

    /** What the report calls it. */
    String title() {
        return title;
    }

    Family family() {
        return family;
    }

    boolean takesPart(Cell cell) {
        return cell.keys() <= maxKeys && !(cell.blocks() && family == Family.LIMIT);
    }

    static Optional<Contender> named(String id) {
        return Arrays.stream(values())
                .filter(contender -> contender.id.equals(id))
                .findFirst();
    }

    static List<Contender> of(Family family) {
        return Arrays.stream(values())
                .filter(contender -> contender.family == family)
                .collect(Collectors.toUnmodifiableList());
    }

    @Override
    public String toString() {
        return id;
    }
}
