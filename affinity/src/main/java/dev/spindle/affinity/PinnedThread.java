// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs on its own core, or on all cores of the process, regardless of the cores of its starter. A worker
 * of a spindle closes its thread before it ends, so that the core is free when the spindle has terminated. Any other
 * thread returns its core when it ends.
 */
final class PinnedThread extends Thread implements AutoCloseable {
    private final PinnedThreads factory;
    private final @Nullable Cores cores;
    private final int core;
    private final AtomicBoolean given = new AtomicBoolean(); // true when the core has been returned

    /** Creates a thread with a core that was taken from {@code cores} and is returned there when the thread ends. */
    PinnedThread(PinnedThreads factory, Runnable task, String name, Cores cores, int core) {
        super(null, task, name, 0, false);
        this.factory = factory;
        this.cores = cores;
        this.core = core;
    }

    /** Creates a thread without its own core. */
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
        } catch (OutOfMemoryError e) { // the system cannot create another thread
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

    /**
     * Binds this thread to all cores of the process and returns its own core. Has an effect only if called by this
     * thread, and only once.
     */
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
