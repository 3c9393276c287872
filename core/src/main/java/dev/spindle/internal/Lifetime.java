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
 * The shutdown and the termination of an executor: the holds that keep it from terminating, and the parts of the
 * library that are notified of its shutdown. Thread-safe.
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
     * parts   the first to listen  all      volatile, under the monitor: null -> a concurrent set
     * last    atEnd, callLast      same     under its monitor; that of the outermost lifetime
     *
     * Lifetime-1  ENDED is set by a CAS whose expected word has no open hold and was read before the check that no task
     * is left. Each hold changes the number of all holds, so the CAS fails after a hold since that read, even if the
     * hold was released.
     * Lifetime-2  A part listens and then reads `shut`; a shutdown sets `shut` and then notifies the listeners. So the
     *     part sees `shut`, or the shutdown notifies the part.
     * Lifetime-3  While a strand is held, its spindle is held, too: the spindle is held first and released last.
     * Lifetime-4  The lifetime is held from before the actions of atEnd are taken out until they have run, so they run
     *     before ENDED.
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
    private final ReferenceQueue<Part> unused; // shared with the outer lifetime, as is `last`
    private final Set<Runnable> last;

    /** A part of the library that is notified of shutdowns. */
    public interface Part {
        /** Called as the action of {@link #listen}. */
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

    /** Creates the lifetime of a spindle with the given open pool. */
    Lifetime(Pool pool) {
        of = null;
        unused = new ReferenceQueue<>();
        last = new LinkedHashSet<>();
        this.pool = pool;
    }

    /** Called when the last hold was released: terminates the executor if it was shut down and no task is left. */
    protected void released() {
        if (pool != null) {
            pool.tryTerminate();
        }
    }

    @Nullable
    Pool pool() {
        return pool;
    }

    // ---------------------------------------------------------------- for parts of the library

    /**
     * Keeps the executor from terminating until {@link #release}; calls are counted.
     *
     * @return false if the executor has terminated, or is about to; then it runs no further task
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
     * Registers an action that the thread of each later shutdown of the executor or its spindle runs, until
     * {@link #forget}. The action finds {@link #isShut} true, and {@link #isHalted} too in a {@code shutdownNow}; it
     * may still {@link #hold} the executor. It may be called more than once and by several threads, and must neither
     * block nor throw. An earlier shutdown does not run it, so the caller reads {@link #isShut} afterwards.
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

    /** Ends {@link #listen}. */
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
     * Notifies {@code part} of shutdowns as {@link #listen} does, until it is garbage collected.
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
     * terminates. This is for parts of the library that wait for input of accepted tasks even after a shutdown. The
     * action may submit tasks.
     */
    public final void atEnd(Runnable action) {
        synchronized (last) {
            last.add(action);
        }
    }

    /** Ends {@link #atEnd}. */
    public final void forgetEnd(Runnable action) {
        synchronized (last) {
            last.remove(action);
        }
    }

    /**
     * Returns a task that runs the actions of {@link #atEnd}, and holds the executor until they have run; null if there
     * are none. Called when no accepted task is left.
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

    /** Returns whether a {@code shutdownNow} has begun: accepted tasks that have not started are not to run. */
    public final boolean isHalted() {
        return halted || (of != null && of.isHalted());
    }

    // ---------------------------------------------------------------- for the executor

    /** Returns whether the executor itself has been shut down. */
    public final boolean isShutItself() {
        return shut;
    }

    /**
     * Begins a shutdown, without notifying the parts.
     *
     * @param now true for a {@code shutdownNow}
     */
    public final void shut(boolean now) {
        if (now) {
            halted = true;
        }
        shut = true;
    }

    /** Notifies the parts of a shutdown. Called before any step that may terminate the executor. */
    public final void tell() {
        OrderedSet<Runnable> all = parts;
        if (all != null) {
            all.inOrder().forEach(Runnable::run);
        }
    }

    /** Returns the word, for {@link #end}; called before the check that no task is left. */
    public final long look() {
        return word;
    }

    /** Returns whether there was no open hold at the {@link #look}. */
    public static boolean isFree(long look) {
        return (look & HOLDS) == 0;
    }

    /** Returns whether there is no open hold. Racy. */
    public final boolean isFree() {
        return isFree(word);
    }

    /**
     * Ends the executor unless it was held since {@code look}; returns true if this or an earlier call has ended the
     * executor.
     */
    public final boolean end(long look) {
        return isEnded() || (isFree(look) && WORD.compareAndSet(this, look, look | ENDED)) || isEnded(); // Lifetime-1
    }

    /** Returns whether {@link #hold} is refused. */
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

        /** A factory method, so that the verification of Lifetime does not load this class, which few programs need. */
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
                    boolean unused = Thread.interrupted(); // the previous action may have set it
                    action.run();
                }
            } finally {
                lifetime.release();
            }
        }
    }
}
