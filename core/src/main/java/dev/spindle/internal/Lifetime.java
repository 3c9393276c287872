// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shutdown and the termination of an executor. A lifetime contains the holds that prevent the termination, and the
 * parts of the library that are notified of a shutdown. Thread-safe.
 */
public class Lifetime {
    /*
     * The word holds, from its lowest bit: the number of open holds (31 bits), ENDED, and the number of all holds so
     * far.
     *
     * field   writers              readers  mode
     * word    all                  all      volatile, read-modify-write
     * shut    shutdowns            all      volatile, only to true
     * halted  shutdowns            all      volatile, only to true, before `shut`
     * parts   listen               all      volatile, written once under the monitor: null -> a concurrent set
     * last    atEnd, forgetEnd,    same     under its own monitor; one set for a lifetime and its inner lifetimes
     *         callLast
     *
     * Lifetime-1  ENDED is set by a CAS from a word without an open hold that was read before the check that no task
     *     is left. Each hold changes the number of all holds, so the CAS fails if the executor was held since the read.
     * Lifetime-2  A part listens and then reads `shut`; a shutdown sets `shut` and then notifies the listeners. So the
     *     part sees `shut`, or the shutdown notifies the part.
     * Lifetime-3  While a strand is held, its spindle is held: hold() holds the spindle before the strand, and
     *     release() releases the spindle after the strand.
     * Lifetime-4  callLast holds the lifetime before it removes the actions of atEnd, and the returned task releases
     *     the lifetime after the actions have run. So ENDED is set after the actions.
     *
     * Tests: LifetimeTest; jcstress HoldAgainstEnd (Lifetime-1).
     */
    private static final long ENDED = 1L << 31;
    private static final long HOLDS = ENDED - 1;
    private static final long ONE_EVER = 1L << 32;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Lifetime.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Lifetime of;
    private final @Nullable Pool pool;
    private volatile long word;
    private volatile boolean shut;
    private volatile boolean halted;
    private volatile @Nullable OrderedSet<Runnable> parts;
    private final ReferenceQueue<Part> unused; // the outer lifetime has the same queue and the same `last`
    private final Set<Runnable> last;

    /** A part of the library that is notified of shutdowns. */
    public interface Part {
        /** Called by shutdowns, as {@link #listen} describes for an action. */
        void shut();
    }

    /**
     * Creates the lifetime of an open executor.
     *
     * @param of the lifetime of the executor whose threads this executor uses, or null
     */
    protected Lifetime(@Nullable Lifetime of) {
        this.of = of;
        unused = of == null ? new ReferenceQueue<>() : of.unused;
        last = of == null ? new LinkedHashSet<>() : of.last;
        pool = of == null ? null : of.pool;
    }

    /** Creates the lifetime of the spindle whose pool is {@code pool}. */
    Lifetime(Pool pool) {
        of = null;
        unused = new ReferenceQueue<>();
        last = new LinkedHashSet<>();
        this.pool = pool;
    }

    /**
     * Called when the last hold was released: terminates the executor if the executor was shut down and no task is
     * left.
     */
    protected void released() {
        if (pool != null) {
            pool.tryTerminate();
        }
    }

    @Nullable
    Pool pool() {
        return pool;
    }

    /** Returns whether the pool serves only this executor, which is a strand with a thread of its own. */
    public boolean isAlone() {
        return false;
    }

    // ---------------------------------------------------------------- for parts of the library

    /**
     * Keeps the executor from terminating until {@link #release}. Holds are counted.
     *
     * @return false if the executor has ended, and so runs no further task
     */
    public final boolean hold() {
        if (of != null && !of.hold()) { // Lifetime-3
            return false;
        }
        long before = (long) WORD.getAndAdd(this, ONE_EVER + 1);
        if ((before & ENDED) == 0) {
            return true;
        }
        long unused = (long) WORD.getAndAdd(this, -1L);
        if (of != null) {
            of.release();
        }
        return false;
    }

    /** Ends one {@link #hold}. Must not be called under a lock. */
    public final void release() {
        long before = (long) WORD.getAndAdd(this, -1L);
        if ((before & HOLDS) == 1) { // D1
            released();
        }
        if (of != null) {
            of.release();
        }
    }

    /**
     * Registers an action that each later shutdown of the executor or of its spindle runs, until {@link #forget}. When
     * the action runs, {@link #isShut} is true, and in a {@code shutdownNow} {@link #isHalted} is true. The action may
     * {@link #hold} the executor. The action may run more than once and in several threads, and must neither block nor
     * throw. An earlier shutdown does not run the action, so the caller reads {@link #isShut} after this call.
     */
    public final void listen(Runnable action) {
        forgetUnused(); // U3
        OrderedSet<Runnable> all = parts;
        if (all == null) {
            synchronized (this) {
                all = parts;
                if (all == null) {
                    all = new OrderedSet<>();
                    parts = all;
                }
            }
        }
        all.add(action);
        if (of != null) {
            of.listen(action);
        }
    }

    /** Removes an action that {@link #listen} registered. */
    public final void forget(Runnable action) {
        OrderedSet<Runnable> all = parts;
        if (all != null) {
            boolean unused = all.remove(action);
        }
        if (of != null) {
            of.forget(action);
        }
    }

    /**
     * Notifies {@code part} of shutdowns, as {@link #listen} does, until {@code part} is garbage collected.
     *
     * @return the action to pass to {@link #forget}
     */
    public final Runnable listenWeakly(Part part) {
        Listener listener = new Listener(part, this);
        listen(listener);
        return listener;
    }

    private void forgetUnused() {
        for (Reference<?> cleared = unused.poll(); cleared != null; cleared = unused.poll()) {
            if (cleared instanceof Listener listener) {
                Lifetime lifetime = listener.lifetime.get();
                (lifetime == null ? whole() : lifetime).forget(listener);
            }
        }
    }

    private Lifetime whole() {
        return of == null ? this : of.whole();
    }

    /**
     * Makes a worker of the executor run {@code action} after all accepted tasks have ended and before the executor
     * terminates. A part of the library registers such an action if it still receives input from accepted tasks after a
     * shutdown. The action may submit tasks.
     */
    public final void atEnd(Runnable action) {
        synchronized (last) {
            last.add(action);
        }
    }

    /** Removes an action that {@link #atEnd} registered. */
    public final void forgetEnd(Runnable action) {
        synchronized (last) {
            last.remove(action);
        }
    }

    /**
     * Holds the executor, and returns a task that runs the actions of {@link #atEnd} and then releases the executor.
     * Returns null if there is no action, or if the executor has ended. Called when no accepted task is left.
     */
    public final @Nullable InternalTask callLast() {
        synchronized (last) {
            if (last.isEmpty() || !hold()) { // Lifetime-4
                return null;
            }
            InternalTask call = LastCall.of(this, List.copyOf(last));
            last.clear();
            return call;
        }
    }

    /** Returns whether a shutdown of the executor or of its spindle has begun. */
    public final boolean isShut() {
        return shut || (of != null && of.isShut());
    }

    /** Returns whether a {@code shutdownNow} of the executor or of its spindle has begun. */
    public final boolean isHalted() {
        return halted || (of != null && of.isHalted());
    }

    // ---------------------------------------------------------------- for the executor

    /** Returns whether the executor itself has been shut down. */
    public final boolean isShutItself() {
        return shut;
    }

    /**
     * Begins a shutdown, but does not notify the parts: see {@link #tell}.
     *
     * @param now true for a {@code shutdownNow}
     */
    public final void shut(boolean now) {
        if (now) {
            halted = true;
        }
        shut = true;
    }

    /** Notifies the parts of a shutdown. A shutdown calls this before any step that may terminate the executor. */
    public final void tell() {
        OrderedSet<Runnable> all = parts;
        if (all != null) {
            all.inOrder().forEach(Runnable::run);
        }
    }

    /** Returns the word, for {@link #end}. Called before the check that no task is left. */
    public final long look() {
        return word;
    }

    /** Returns whether no hold was open when {@link #look} returned {@code look}. */
    public static boolean isFree(long look) {
        return (look & HOLDS) == 0;
    }

    /** Returns whether no hold is open; the result may be outdated. */
    public final boolean isFree() {
        return isFree(word);
    }

    /**
     * Ends the executor, unless a hold was open when {@link #look} returned {@code look} or was taken afterwards.
     * Returns true if this or an earlier call has ended the executor.
     */
    public final boolean end(long look) {
        return isEnded() || (isFree(look) && WORD.compareAndSet(this, look, look | ENDED)) || isEnded(); // Lifetime-1
    }

    /** Returns true if the executor has ended, so that {@link #hold} returns false. */
    public final boolean isEnded() {
        return (word & ENDED) != 0;
    }

    private static final class Listener extends WeakReference<Part> implements Runnable {
        private final WeakReference<Lifetime> lifetime;

        Listener(Part part, Lifetime lifetime) {
            super(part, lifetime.unused);
            this.lifetime = new WeakReference<>(lifetime);
        }

        @Override
        public void run() {
            Part part = get();
            if (part != null) {
                part.shut();
            }
        }
    }

    private static final class LastCall extends InternalTask {
        private final Lifetime lifetime;
        private final List<Runnable> actions;

        /**
         * Creates a task. The return type is InternalTask, so the bytecode verifier need not load this class with
         * Lifetime.
         */
        static InternalTask of(Lifetime lifetime, List<Runnable> actions) {
            return new LastCall(lifetime, actions);
        }

        private LastCall(Lifetime lifetime, List<Runnable> actions) {
            this.lifetime = lifetime;
            this.actions = actions;
        }

        @Override
        public void run() {
            try {
                for (Runnable action : actions) {
                    boolean unused = Thread.interrupted(); // the previous action may have left an interrupt
                    action.run();
                }
            } finally {
                lifetime.release();
            }
        }
    }
}
