// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.lang.System.Logger.Level;
import java.util.BitSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads that each run on a core of their own: a pinned thread keeps what its core has cached, and is not moved
 * in the midst of a task. <em>Core</em> means what the system schedules on: a hardware thread, where a core has two.
 *
 * <pre>{@code
 * PinnedThreads pinned = PinnedThreads.builder().name("trades").cores(2, 3).build();
 * Spindle spindle = Spindle.builder()
 *         .core(2)
 *         .threadFactory(pinned) // trades-1 on core 3, trades-2 on core 2
 *         .auxiliaryThreadFactory(pinned.unpinned()) // those for blocked work, on any core
 *         .build();
 * }</pre>
 *
 * <p>A core is taken when a thread is made, is not given to another thread of this class in the same JVM, and is given
 * back when the thread ends; that of a spindle's worker before the worker's end can be seen, so that after {@code
 * close} a new spindle or strand finds it free. (A thread that is never started keeps it.) Threads beyond those that
 * are pinned may run on any core of the process, which is logged once, unless {@linkplain
 * PinnedThreadsBuilder#refuseBeyond they are refused}. Set an auxiliary
 * factory as above: with one factory for all, the workers that a pool keeps after a time of blocked work may be those
 * that are not pinned.
 *
 * <p><b>When it harms.</b> A pinned thread does not move away when something else needs its core: pin to cores that are
 * set aside ({@code isolcpus}, a cpuset), or not at all. Other processes do not know which cores are taken. On Linux a
 * thread inherits the cores of the thread that starts it, so what a task on a pinned worker starts shares its core:
 * pools made there, and the carriers of virtual threads.
 *
 * <p>Where the system cannot pin, or refuses, a warning is logged once and the thread runs on any core of the process,
 * whatever core its starter has. From JDK 24 on, the
 * library below needs {@code --enable-native-access=ALL-UNNAMED}, or the JVM prints a warning.
 *
 * <p>Threads are named and numbered as those of a {@code Spindle}, and are no daemons. Thread-safe.
 */
public final class PinnedThreads implements ThreadFactory {
    static final String LOGGER = "dev.spindle.affinity";

    private final String name;
    private final ThreadAffinity affinity;
    private final BitSet base;
    private final Cores cores;
    private final boolean refuse;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicBoolean warned = new AtomicBoolean();
    private final AtomicBoolean saidNoCore = new AtomicBoolean();

    PinnedThreads(String name, ThreadAffinity affinity, BitSet base, Cores cores, boolean refuse) {
        this.name = name;
        this.affinity = affinity;
        this.base = base;
        this.cores = cores;
        this.refuse = refuse;
        if (base.isEmpty()) {
            warn("this system does not pin threads", null);
        }
    }

    /** Returns a factory that pins one thread to each core that this process may use. */
    public static PinnedThreads create() {
        return builder().build();
    }

    /** Returns a builder for a factory. */
    public static PinnedThreadsBuilder builder() {
        return new PinnedThreadsBuilder(OpenHftAffinity.INSTANCE);
    }

    /**
     * Returns a new thread, pinned if a core is left for it.
     *
     * @throws IllegalStateException if none is left, and {@link PinnedThreadsBuilder#refuseBeyond} was set
     */
    @Override
    public Thread newThread(Runnable task) {
        if (base.isEmpty()) {
            return unpinned(task);
        }
        int core = cores.take();
        if (core != Cores.NONE) {
            return named(new PinnedThread(this, task, nextName(), cores, core));
        }
        if (refuse) {
            throw new IllegalStateException("no core is left for another thread of '" + name + "': " + cores
                    + "; use fewer core workers, and unpinned() as the factory of auxiliary threads");
        }
        Thread thread = unpinned(task);
        if (saidNoCore.compareAndSet(false, true)) {
            log("no core is left for " + thread.getName() + ", and perhaps later ones: " + cores, null);
        }
        return thread;
    }

    /** Returns a factory of threads with the same names that may run on any core of this process, and take none. */
    public ThreadFactory unpinned() {
        return this::unpinned;
    }

    private Thread unpinned(Runnable task) {
        return named(new PinnedThread(this, task, nextName()));
    }

    private String nextName() {
        return name + "-" + numbers.incrementAndGet();
    }

    private static Thread named(Thread thread) {
        thread.setDaemon(false); // this and the rest would else come from whoever happens to start a worker
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(PinnedThreads.class.getClassLoader());
        return thread;
    }

    BitSet base() {
        return base;
    }

    /** Binds the calling thread; lets it run on any core if the system refuses. */
    void bind(BitSet wanted) {
        if (!base.isEmpty() && !tryBind(wanted) && !wanted.equals(base)) {
            boolean unused = tryBind(base); // it would else keep the core of its starter
        }
    }

    private boolean tryBind(BitSet wanted) {
        String thread = Thread.currentThread().getName();
        try {
            affinity.allow(wanted);
            BitSet allowed = affinity.allowed();
            if (allowed.equals(wanted)) {
                return true;
            }
            warn(thread + " may run on the cores " + allowed + " and not on " + wanted, null);
        } catch (RuntimeException | LinkageError e) {
            warn(thread + " cannot be bound to the cores " + wanted, e);
        }
        return false;
    }

    private void warn(String what, @Nullable Throwable cause) {
        if (warned.compareAndSet(false, true)) {
            log(what, cause);
        }
    }

    private void log(String what, @Nullable Throwable cause) {
        System.getLogger(LOGGER)
                .log(Level.WARNING, "threads of '" + name + "' run without a core of their own: " + what, cause);
    }

    /** Returns a string with the name and the cores. */
    @Override
    public String toString() {
        return "PinnedThreads[" + name + ": " + cores + "]";
    }
}
