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
 * The shutdown and the termination of an executor: what keeps it from terminating, and the parts of the library that
 * are told of its shutdown. Thread-safe.
 */
public class Lifetime {
    /*
     * The word holds, from its lowest bit: how many holds there are (31 bits), ENDED, and how many there have been.
     *
     * field   writers              readers  mode
     * word    all                  all      volatile, read-modify-write
     * shut    shutdowns            all      volatile, only to true
     * halted  shutdowns            all      volatile, only to true, before `shut`
     * parts   the first to listen  all      volatile, under the monitor: null -> a concurrent set
     * last    atEnd, callLast      same     under its monitor; of a lifetime that is of no other
     *
     * Lifetime-1  ENDED is set by a CAS of the word that was read, without a hold, before the look that found nothing
     *     left. Each hold changes the count of all, so that CAS fails if one has come in between, even if it has ended.
     * Lifetime-2  A part listens and then reads `shut`; a shutdown sets `shut` and then tells those that listen. One
     *     sees the other.
     * Lifetime-3  A hold of a strand holds its spindle as well, from before to after.
     * Lifetime-4  The actions of atEnd are taken out with the lifetime held, until they have run: before ENDED.
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
    private final ReferenceQueue<Part> unused; // of the whole executor, as the next
    private final Set<Runnable> last;

    /** A part of the library that is told of shutdowns. */
    public interface Part {
        /** See {@link #listen}. */
        void shut();
    }

    /**
     * Creates the lifetime of an open executor.
     *
     * @param of that of the executor whose threads it uses, or null
     */
    protected Lifetime(@Nullable Lifetime of) {
        this.of = of;
        unused = of == null ? new ReferenceQueue<>() : of.unused;
        last = of == null ? new LinkedHashSet<>() : of.last;
        pool = of == null ? null : of.pool;
    }

    /** Creates the lifetime of an open pool, which is that of a spindle. */
    Lifetime(Pool pool) {
        of = null;
        unused = new ReferenceQueue<>();
        last = new LinkedHashSet<>();
        this.pool = pool;
    }

    /** Returns the lifetime of nothing, for a try. */
    public static Lifetime ofNothing() {
        return new Lifetime((Lifetime) null);
    }

    /** Called when the last hold has been released: terminates the executor if it is to end and nothing is left. */
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
     * Keeps the executor from terminating until {@link #release}; counted.
     *
     * @return false if it has terminated, or is about to: nothing more runs
     */
    public final boolean hold() {
        if (of != null && !of.hold()) {
            return false;
        }
        long before = (long) WORD.getAndAdd(this, ONE_EVER + 1);
        if ((before & ENDED) == 0) {
            return true;
        }
        long unused = (long) WORD.getAndAdd(this, -1L); // linked as in release() (VarHandleWarmup)
        if (of != null) {
            of.release();
        }
        return false;
    }

    /** Ends one {@link #hold}. Must not be called under a lock. */
    public final void release() {
        long before = (long) WORD.getAndAdd(this, -1L);
        if ((before & HOLDS) == 1) {
            released();
        }
        if (of != null) {
            of.release();
        }
    }

    /**
     * Has each shutdown to come, also one that follows another or that is the spindle's, run {@code action} in its
     * thread, until {@link #forget}. The action finds {@link #isShut} true, and {@link #isHalted} if it is a
     * {@code shutdownNow}; what it holds then is held in time. It may be called more than once and by several threads,
     * and must neither block nor throw. A shutdown that came before this call does not run it: look at {@link #isShut}
     * afterwards.
     */
    public final void listen(Runnable action) {
        forgetUnused();
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
     * Tells {@code part} of shutdowns as {@link #listen} does, for as long as another object refers to it.
     *
     * @return what {@link #forget} takes
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
     * Has the executor run {@code action} on one of its workers when everything that it has accepted has ended, and
     * before it terminates. For parts that wait for what others may still hand them; after a shutdown. The action may
     * hand in more.
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
     * Called when nothing is left to do: returns what has to be run before the executor terminates, which it holds
     * until then; or null.
     */
    public final @Nullable InternalTask callLast() {
        synchronized (last) {
            if (last.isEmpty() || !hold()) {
                return null;
            }
            InternalTask call = LastCall.of(this, List.copyOf(last));
            last.clear();
            return call;
        }
    }

    /** Returns whether a shutdown has begun, of the executor or of its spindle. */
    public final boolean isShut() {
        return shut || (of != null && of.isShut());
    }

    /** Returns whether that is a {@code shutdownNow}: what was accepted and has not begun is not to run. */
    public final boolean isHalted() {
        return halted || (of != null && of.isHalted());
    }

    // ---------------------------------------------------------------- for the executor

    /** Returns whether the executor itself has been shut down. */
    public final boolean isShutItself() {
        return shut;
    }

    /**
     * Begins a shutdown, without telling the parts.
     *
     * @param now whether it is a {@code shutdownNow}
     */
    public final void shut(boolean now) {
        if (now) {
            halted = true;
        }
        shut = true;
    }

    /** Tells the parts of a shutdown. To be called before what may terminate the executor. */
    public final void tell() {
        OrderedSet<Runnable> all = parts;
        if (all != null) {
            all.inOrder().forEach(Runnable::run);
        }
    }

    /** Returns the word before a look at what is left, for {@link #end}. */
    public final long look() {
        return word;
    }

    /** Returns whether nothing held the executor in a {@link #look}. */
    public static boolean isFree(long look) {
        return (look & HOLDS) == 0;
    }

    /** Returns whether nothing holds the executor. Racy. */
    public final boolean isFree() {
        return isFree(word);
    }

    /** Ends the executor unless something has held it since {@code look}; true if it has ended now or before. */
    public final boolean end(long look) {
        return isEnded() || (isFree(look) && WORD.compareAndSet(this, look, look | ENDED)) || isEnded();
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

        /** Keeps the verifier of the lifetime from loading this class, which few programs need. */
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
                    boolean unused = Thread.interrupted(); // that the one before has left
                    action.run();
                }
            } finally {
                lifetime.release();
            }
        }
    }
}
