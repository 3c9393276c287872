// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;
import java.util.Objects;

/** A builder for {@link PinnedThreads}. A builder is not thread-safe, and may be used again after {@link #build}. */
public final class PinnedThreadsBuilder {
    private final ThreadAffinity affinity;
    private String name = "pinned";
    private BitSet cores = new BitSet();
    private int maxPinned;
    private boolean pinnedOnly;

    PinnedThreadsBuilder(ThreadAffinity affinity) {
        this.affinity = affinity;
    }

    /** Sets the prefix of the name of each thread, before a dash and a number. The default is {@code pinned}. */
    public PinnedThreadsBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the cores to use. The system numbers cores from 0. Isolated cores, on which the system does not schedule
     * other threads, may be used. The default is the cores on which the thread that calls {@link #build} may run.
     *
     * @throws IllegalArgumentException if {@code cores} is empty or contains a negative number
     */
    public PinnedThreadsBuilder cores(int... cores) {
        BitSet chosen = new BitSet();
        for (int core : cores) {
            if (core < 0) {
                throw new IllegalArgumentException("cores count from 0, one is " + core);
            }
            chosen.set(core);
        }
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("cores must name at least one core");
        }
        this.cores = chosen;
        return this;
    }

    /** Sets the maximum number of threads that are pinned at the same time. The default is the number of cores. */
    public PinnedThreadsBuilder maxPinned(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("maxPinned must be at least 1, is " + threads);
        }
        maxPinned = threads;
        return this;
    }

    /**
     * Sets whether the factory throws an exception if no core is left, instead of creating an unpinned thread. The
     * default is false.
     */
    public PinnedThreadsBuilder pinnedOnly(boolean pinnedOnly) {
        this.pinnedOnly = pinnedOnly;
        return this;
    }

    /**
     * Builds the factory.
     *
     * @throws IllegalArgumentException if there are fewer cores than {@code maxPinned}
     */
    public PinnedThreads build() {
        BitSet base = affinity.allowed();
        BitSet usable = cores.isEmpty() ? base : cores;
        if (!base.isEmpty() && maxPinned > usable.cardinality()) {
            throw new IllegalArgumentException("cannot pin " + maxPinned + " threads of '" + name + "' to "
                    + usable.cardinality() + " cores, " + usable + "; set maxPinned to " + usable.cardinality()
                    + " at most, and leave those beyond unpinned");
        }
        int most = maxPinned == 0 ? usable.cardinality() : maxPinned;
        return new PinnedThreads(name, affinity, base, new Cores(usable, most), pinnedOnly);
    }
}
