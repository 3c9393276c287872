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
 * A thread factory that pins each thread to its own core. A pinned thread stays on its core, so the caches of the core
 * keep its data. A <em>core</em> is a unit on which the system schedules threads; with hyper-threading, this is a
 * hardware thread.
 *
 * <pre>{@code
 * PinnedThreads pinned = PinnedThreads.builder().name("trades").cores(2, 3).build();
 * Spindle spindle = Spindle.builder()
 *         .coreThreads(2)
 *         .threadFactory(pinned) // trades-1 on core 3, trades-2 on core 2
 *         .auxiliaryThreadFactory(pinned.unpinned()) // those for blocked work, on any core
 *         .build();
 * }</pre>
 *
 * <p>The factory takes a core when it creates a thread. No other factory of this class in the same JVM assigns this
 * core until the thread ends. A worker of a spindle returns its core before the spindle has terminated, so after
 * {@code close} a new spindle can take the core. A thread that is never started keeps its core. If no core is left,
 * further threads may run on any core of the process, and a warning is logged once. With
 * {@link PinnedThreadsBuilder#pinnedOnly} the factory refuses such threads instead.
 *
 * <p>Set an auxiliary factory as in the example. With one factory for all threads, the workers that remain after
 * blocked work may be unpinned.
 *
 * <p><b>When pinning harms.</b> A pinned thread does not move when other work needs its core. So pin threads only to
 * reserved cores, for example by {@code isolcpus} or a cpuset. Other processes do not know which cores are taken. On
 * Linux a thread inherits the cores of the thread that starts it. So threads that a task on a pinned worker starts
 * share the worker's core, including the threads of new pools and the carriers of virtual threads.
 *
 * <p>If the system refuses to pin a thread, a warning is logged once, and the thread may run on any core of the
 * process, regardless of the cores of its starter. From JDK 24 on, the JVM prints a warning about the OpenHFT library
 * unless it is started with {@code --enable-native-access=ALL-UNNAMED}.
 *
 * <p>Threads are named and numbered like those of a {@code Spindle}, and are not daemon threads. This class is
 * thread-safe.
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
     * Returns a new thread, pinned if a core is left.
     *
     * @throws IllegalStateException if no core is left and {@link PinnedThreadsBuilder#pinnedOnly} is set
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

    /** Returns a factory of unpinned threads, which has the name of this factory and takes no cores. */
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
        thread.setDaemon(false); // by default a thread inherits these properties from the thread that creates it
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(PinnedThreads.class.getClassLoader());
        return thread;
    }

    BitSet base() {
        return base;
    }

    /** Binds the calling thread to {@code wanted}, or to all cores of the process if the system refuses. */
    void bind(BitSet wanted) {
        if (!base.isEmpty() && !tryBind(wanted) && !wanted.equals(base)) {
            boolean unused = tryBind(base); // without this call the thread would keep the cores of its starter
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
