// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs on its own core, or on all cores of the process, whatever its starter runs on. A worker of a
 * spindle closes it before the end of the worker can be seen; any other thread ends without.
 */
final class PinnedThread extends Thread implements AutoCloseable {
    private final PinnedThreads factory;
    private final @Nullable Cores cores;
    private final int core;
    private final AtomicBoolean given = new AtomicBoolean(); // back

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

    /** Leaves the core and gives it back; does nothing in another thread, or a second time. */
    @Override
    public void close() {
        if (cores != null && Thread.currentThread() == this && !given.get()) {
            factory.bind(factory.base());
            giveBack();
        }
    }

    private void giveBack() {
        if (cores != null && given.compareAndSet(false, true)) {
            cores.giveBack(core);
        }
    }
}
