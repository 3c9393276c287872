// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;
import java.util.Objects;

/** Makes {@link PinnedThreads} with options. Not thread-safe; may be used again. */
public final class PinnedThreadsBuilder {
    private final ThreadAffinity affinity;
    private String name = "pinned";
    private BitSet cores = new BitSet();
    private int workers = 0;
    private boolean refuse = false;

    PinnedThreadsBuilder(ThreadAffinity affinity) {
        this.affinity = affinity;
    }

    /** Sets the name; threads are called by it, with a dash and a number. By default {@code pinned}. */
    public PinnedThreadsBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the cores to use, counted from 0 as the system does. They may be isolated ones, on which the scheduler puts
     * nothing by itself. By default those on which the thread that calls {@link #build} may run.
     *
     * @throws IllegalArgumentException if there is none, or one is negative
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

    /** Sets how many threads are pinned at a time, at the most. By default as many as there are cores to use. */
    public PinnedThreadsBuilder workers(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("workers must be at least 1, is " + threads);
        }
        this.workers = threads;
        return this;
    }

    /** Has the factory throw when no core is left, instead of making a thread that is not pinned. */
    public PinnedThreadsBuilder refuseBeyond() {
        this.refuse = true;
        return this;
    }

    /**
     * Makes the factory.
     *
     * @throws IllegalArgumentException if more workers are to be pinned than there are cores for them
     */
    public PinnedThreads build() {
        BitSet base = affinity.allowed();
        BitSet usable = cores.isEmpty() ? base : cores;
        if (!base.isEmpty() && workers > usable.cardinality()) {
            throw new IllegalArgumentException("cannot pin " + workers + " workers of '" + name + "' to "
                    + usable.cardinality() + " cores, " + usable + "; set workers to " + usable.cardinality()
                    + " at most, and leave those beyond unpinned");
        }
        int most = workers == 0 ? usable.cardinality() : workers;
        return new PinnedThreads(name, affinity, base, new Cores(usable, most), refuse);
    }
}
