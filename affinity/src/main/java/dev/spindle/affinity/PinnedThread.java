// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A thread that runs on its own core, or on all cores of the process, whatever its starter runs on. */
final class PinnedThread extends Thread {
    private final PinnedThreads factory;
    private final @Nullable Cores cores;
    private final int core;

    /** A thread with a core that was taken from {@code cores}, and is given back there when it ends. */
    PinnedThread(PinnedThreads factory, Runnable task, String name, Cores cores, int core) {
        super(null, task, name, 0, false);
        this.factory = factory;
        this.cores = cores;
        this.core = core;
    }

    /** A thread without a core of its own. */
    PinnedThread(PinnedThreads factory, Runnable task, String name) {
        super(null, task, name, 0, false);
        this.factory = factory;
        this.cores = null;
        this.core = Cores.NONE;
    }

    @Override
    public synchronized void start() {
        try {
            super.start();
        } catch (OutOfMemoryError e) { // the system gives no more threads
            giveBack();
            throw e;
        }
    }

    @Override
    public void run() {
        try {
            BitSet wanted = factory.base();
            if (cores != null) {
                wanted = new BitSet();
                wanted.set(core);
            }
            factory.bind(wanted);
            super.run();
        } finally {
            giveBack();
        }
    }

    private void giveBack() {
        if (cores != null) {
            cores.giveBack(core);
        }
    }
}
