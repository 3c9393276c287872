// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stage;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.LaneCore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Async} stages of a future, in the order in which they were attached. A future has this object from the
 * first dependent stage on. The executor of this object is the lane or executor from which the future came.
 */
public final class Continuations implements Executor {
    /*
     * Continuations-1  A stage is added to the queue before its future can notify it. Each notified stage submits
     *     itself once to the lane, and each of these tasks takes the head of the queue and runs that stage. So stages
     *     run in the order of the queue, whatever the order of the notifications (CompletableFuture notifies the last
     *     one first, and several threads may notify), and each runs once. A stage at the head may run before it was
     *     notified, since the value of a notified stage is also its own.
     * Continuations-2  A submit that is refused, and a task that is withdrawn, also takes the head and ends it. So no
     *     stage is left.
     *
     * Tests: StageOrderContractTest, StageEndContractTest, StageOrderStressTest.
     */
    final Origin origin;
    final @Nullable Object key;

    /** True once the task or the turn for which the derived futures wait has ended. */
    private volatile boolean over;

    private @Nullable Turn<?> first; // guarded by this monitor, as are `last` and the links between stages
    private @Nullable Turn<?> last;

    Continuations(Origin origin, @Nullable Object key) {
        this.origin = origin;
        this.key = key;
    }

    /** Records that the task or the turn for which the derived futures wait has ended. */
    public void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** Returns the lane of the stages, or null if they have none or the lane does not exist. */
    @Nullable
    LaneCore lane() {
        return origin.lane(key);
    }

    @Override
    public void execute(Runnable task) {
        origin.execute(key, task);
    }

    private synchronized void add(Turn<?> turn) {
        if (last == null) {
            first = turn;
        } else {
            last.next = turn;
        }
        last = turn;
    }

    private synchronized @Nullable Turn<?> poll() {
        Turn<?> oldest = first;
        if (oldest != null) {
            first = oldest.next;
            last = first == null ? null : last;
        }
        return oldest;
    }

    private synchronized @Nullable Turn<?> peek() {
        return first;
    }

    /** A task that runs the next stage of a future, and the stage that has submitted the task. */
    @SuppressWarnings("NullAway") // see TaskFuture
    static final class Turn<T extends @Nullable Object> extends InternalTask
            implements BiConsumer<T, @Nullable Throwable>, CancellableEntry {
        private final Continuations of;
        private final DerivedFuture<T> source; // completed in the turn, and then runs the stage
        private final CompletableFuture<?> stage;
        private final Object user;
        private final @Nullable HandedContext context;
        private @Nullable T value; // of the future, from its completion to the end of this task
        private @Nullable Throwable failure;
        private @Nullable Hold hold;
        private @Nullable Turn<?> next;
        private boolean spent; // withdrawn; read by the submitting thread alone

        /**
         * Creates a stage.
         *
         * @param source a future that the turn completes
         * @param stage the only stage of {@code source}
         * @param user the function of the stage
         */
        Turn(Continuations of, DerivedFuture<T> source, CompletableFuture<?> stage, Object user) {
            this.of = of;
            this.source = source;
            this.stage = stage;
            this.user = user;
            context = HandedContext.capture(of.origin.pool());
        }

        /** Attaches the stage to {@code future}. */
        void attachTo(StageFuture<T> future) {
            of.add(this); // before the future can notify this stage
            if (future.dependsOnOthers() && !future.isDone()) {
                hold = Hold.of(this);
            }
            CompletableFuture<T> unused = future.tell(this);
        }

        /** Called when the future is done. */
        @Override
        public void accept(T result, @Nullable Throwable thrown) {
            value = result;
            failure = thrown;
            Hold own = hold;
            if (own == null) {
                submit();
            } else if (own.end()) {
                try {
                    submit();
                } finally {
                    own.release();
                }
            }
        }

        private void submit() {
            try {
                of.origin.execute(of.key, this);
            } catch (Throwable t) {
                Turn<?> next = spent ? null : of.poll(); // Continuations-2
                if (next != null) {
                    next.end(failure == null ? t : failure);
                }
            }
        }

        /** Returns true: a stage that was attached before the termination is accepted (D1). */
        @Override
        public boolean goesOn() {
            return true; // D1
        }

        @Override
        @SuppressWarnings("unchecked")
        public void run() {
            Turn<T> next = (Turn<T>) of.poll(); // Continuations-1
            if (next == null) {
                return;
            }
            if (of.origin.isHalted()) {
                next.cancel();
            } else {
                next.runStage(value, failure);
            }
            value = null; // U3
            failure = null;
        }

        private void runStage(T result, @Nullable Throwable thrown) {
            try {
                HandedContext.runIn(context, () -> {
                    boolean unused = thrown == null ? source.complete(result) : source.completeExceptionally(thrown);
                });
            } catch (Throwable t) { // thrown by the runnable of the decorator
                end(t);
            } finally {
                source.upstream().end();
            }
        }

        private void end(Throwable thrown) {
            source.upstream().end();
            stage.completeExceptionally(
                    thrown instanceof CompletionException ? thrown : new CompletionException(thrown));
        }

        private void cancel() {
            source.upstream().end();
            stage.cancel(false);
        }

        /** Ends the stage that this task would run. */
        @Override
        public boolean fail(Throwable thrown) {
            Turn<?> next = of.poll();
            if (next != null) {
                next.end(thrown);
            }
            return true;
        }

        @Override
        public Runnable userTask() {
            return this;
        }

        /** Returns the function of the stage that this task runs next. */
        @Override
        public Object origin() {
            Turn<?> next = of.peek();
            return next == null ? user : next.user;
        }

        @Override
        public void withdrawn() {
            spent = true;
            Turn<?> next = of.poll();
            if (next != null) {
                next.cancel();
            }
        }

        /** Returns null, since a stage is no task that a user has submitted. */
        @Override
        public @Nullable Runnable handBack() {
            withdrawn();
            return null;
        }

        @Override
        public boolean hasFuture() {
            return true;
        }

        @Override
        public boolean isExempt() {
            return true;
        }

        @Override
        public String toString() {
            return "stage " + user;
        }
    }

    /**
     * Keeps the executor from terminating while a stage waits for a future that depends on more than accepted tasks,
     * such as one of {@code thenCompose}. A {@code shutdownNow} cancels the stage.
     */
    private static final class Hold implements Runnable {
        private final Turn<?> turn;
        private final Lifetime lifetime;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Hold(Turn<?> turn, Lifetime lifetime) {
            this.turn = turn;
            this.lifetime = lifetime;
        }

        /** Returns a hold, or null if the executor has terminated. */
        static @Nullable Hold of(Turn<?> turn) {
            Lifetime lifetime = turn.of.origin.lifetime();
            if (lifetime == null || !lifetime.hold()) {
                return null;
            }
            Hold hold = new Hold(turn, lifetime);
            lifetime.listen(hold);
            if (lifetime.isHalted()) {
                hold.run(); // the shutdown may have missed this hold
            }
            return hold;
        }

        /** Ends the wait of the stage; only the first call returns true. */
        boolean end() {
            return ended.compareAndSet(false, true);
        }

        void release() {
            lifetime.forget(this);
            lifetime.release();
        }

        /** Called by a shutdown. A {@code shutdownNow} makes a worker cancel the stage. */
        @Override
        public void run() {
            Pool pool = turn.of.origin.pool();
            if (pool != null && lifetime.isHalted() && end()) {
                InternalTask halt = new Halt(this);
                if (pool.ensureThread()) {
                    pool.ready(halt);
                } else {
                    halt.run();
                }
            }
        }
    }

    /** Ends a stage that waits at a {@code shutdownNow}. The stage finds the executor halted. */
    private static final class Halt extends InternalTask {
        private final Hold hold;

        Halt(Hold hold) {
            this.hold = hold;
        }

        @Override
        public void run() {
            try {
                hold.turn.run();
            } finally {
                hold.release();
            }
        }
    }
}
