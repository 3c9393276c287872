// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Lane;
import dev.spindle.NanoClock;
import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A stage of a pipeline: one strand, or several that share its events, which run when there is something to handle. */
abstract class Stage<E> {
    /*
     * A stage is told of work by those before it and otherwise does not exist for the pool: no thread waits for it.
     *
     * field   writers                       readers                        mode
     * done    the stage                     those after it; publishers     volatile write, acquire or volatile read
     * idle    the stage, and who wakes it   those before it                volatile, CAS; a bit per strand, set while
     *                                                                      it has nothing to do
     *
     * Stage-1  A strand's bit is cleared by the one who hands its task to the pool, and set by that task at its end:
     *     each strand has at most one task there, and only while it runs does anybody act for the strand. If the pool
     *     refuses the task, or takes it away, nobody can call the strand again: the pipeline is halted.
     * Stage-2  Who comes before moves on (`done`, or the stamp of a slot) and then reads `idle`; the strand sets its
     *     bit and then looks whether anything has come. Both are volatile, or have a full fence between them: one sees
     *     the other, so an event needs no later one to be seen (S1).
     * Stage-3  `done` moves past an event when its handler has returned, and not before. Who reads it sees what the
     *     handler did (P1).
     * Stage-4  A stage handles a number after all stages that it follows have it behind them.
     * Stage-8  A batch is left, between two of its events, when others have waited for long (WorkerContext.hurry), and
     *     goes on when the lane comes again. If its handler sees batches, `done` moves when all of it was handled,
     *     since only then a flush has been made; else at once.
     *
     * Tests: PipelineTest, PipelineOnSpindleTest, RandomProgramStressTest; jcstress PublishAgainstIdle,
     * AdvanceAgainstIdle (Stage-2), AdvanceThenHandle (Stage-3).
     */
    /** About how long a strand may keep a worker while other work is ready, as any lane. */
    private static final long QUANTUM_NANOS = 200_000;

    private static final int BATCHES = 8; // between two looks of the lane at whatever else is ready
    private static final int FIRST_BATCH = 16;
    private static final LongSupplier CLOCK = NanoClock.system()::nanoTime; // time that passes while a strand spins
    private static final VarHandle IDLE;

    static {
        try {
            IDLE = MethodHandles.lookup().findVarHandle(Stage.class, "idle", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final Ring<E> ring;
    private final PublisherGate<E> gate;
    private final BatchHandler<? super E> handler;
    private final OnError onError;
    private final int maxBatch;
    private final boolean seesBatches;
    private final Halt halt;
    private final List<Handling> strands = new ArrayList<>();
    final Sequence done = new Sequence();
    final SkippedEvents voids;
    private Sequence[] before = {};
    private Stage<?>[] after = {};
    private SkippedEvents[] voidBefore = {};
    private volatile int idle;
    private final BooleanSupplier hasWork = this::hasWork;

    /** Halts the whole pipeline. */
    interface Halt {
        void because(Throwable cause);
    }

    /** The parts of a stage. */
    record Plan<E>(
            String name,
            BatchHandler<? super E> handler,
            boolean seesBatches,
            OnError onError,
            int maxBatch,
            Ring<E> ring,
            Rounds rounds,
            PublisherGate<E> gate,
            Halt halt) {}

    Stage(Plan<E> plan, List<Lane> lanes) {
        name = plan.name;
        handler = plan.handler;
        onError = plan.onError;
        maxBatch = plan.maxBatch;
        seesBatches = plan.seesBatches;
        ring = plan.ring;
        gate = plan.gate;
        halt = plan.halt;
        voids = new SkippedEvents(plan.rounds);
        for (int i = 0; i < lanes.size(); i++) {
            strands.add(new Handling(lanes.get(i), i));
        }
        idle = (int) ((1L << lanes.size()) - 1);
    }

    /** Sets the neighbours; before the first event. {@code ancestors} are all stages that come before, however far. */
    void connect(List<Stage<E>> dependsOn, List<Stage<E>> followers, List<Stage<E>> ancestors) {
        before = dependsOn.stream().map(stage -> stage.done).toArray(Sequence[]::new);
        after = followers.toArray(new Stage<?>[0]);
        List<SkippedEvents> all = new ArrayList<>(List.of(ring.voids()));
        ancestors.forEach(stage -> all.add(stage.voids));
        voidBefore = all.toArray(new SkippedEvents[0]);
    }

    String name() {
        return name;
    }

    static CancellationException cancelled(String stage) {
        return new CancellationException("stage " + stage + " was cancelled: its spindle was shut down at once");
    }

    /** Says which strands act for this stage. */
    void actsIn(WaitList list) {
        strands.forEach(strand -> list.actsFor(strand.lane, this));
    }

    int width() {
        return strands.size();
    }

    // ---------------------------------------------------------------- wake and idle

    /** Called by those before, after they have moved on. */
    final void wake() {
        for (int bits = idle; bits != 0; bits = idle) {
            int bit = Integer.lowestOneBit(bits);
            if (IDLE.compareAndSet(this, bits, bits & ~bit)) {
                strands.get(Integer.numberOfTrailingZeros(bit)).go();
                return;
            }
        }
    }

    /** Returns the first number from {@code from} on that this stage may not handle yet, {@code limit} at most. */
    final long available(long from, long limit) {
        if (before.length == 0) {
            return ring.committedUpTo(from, limit);
        }
        long available = limit;
        for (Sequence done : before) {
            available = Math.min(available, done.get());
        }
        return available;
    }

    /** Called after {@code done} was written, volatile. */
    final void moved() {
        for (Stage<?> stage : after) {
            stage.wake();
        }
        if (after.length == 0) {
            gate.moved();
        }
    }

    // ---------------------------------------------------------------- handle

    /** Handles some events for {@code strand}; false when there was none. */
    abstract boolean handleSome(Handling strand, @Nullable WorkerContext worker);

    /** Returns whether there is anything to handle now. */
    abstract boolean hasWork();

    /** Notes what was handled of a batch that {@code strand} has left, and does not go on with. */
    void halted(Handling strand) {}

    final boolean seesBatches() {
        return seesBatches;
    }

    /** One strand of the stage. The task that it gives to the pool is itself. */
    final class Handling extends InternalTask implements CancellableEntry, Batch {
        private final Lane lane;
        private final int bit;
        private final AdaptiveSpin spin = AdaptiveSpin.ofStage(CLOCK);
        private int most = FIRST_BATCH;
        private long handled; // in this task
        private long first;
        private long end;
        private long current;
        private long next; // in the batch, which goes up to `to`
        private long to;
        private boolean voidSeen;
        private boolean left; // the batch, for others

        Handling(Lane lane, int index) {
            this.lane = lane;
            this.bit = 1 << index;
        }

        private void go() {
            try {
                lane.execute(this);
            } catch (Throwable t) { // nobody would call the strand again
                halt.because(t);
                if (!(t instanceof RejectedExecutionException)) {
                    throw t;
                }
            }
        }

        /** Its events were accepted, and the spindle has not ended. */
        @Override
        public boolean goesOn() {
            return true;
        }

        @Override
        public Runnable userTask() {
            return this;
        }

        /** The spindle was shut down at once. */
        @Override
        public void withdrawn() {
            halted(this);
            halt.because(cancelled(name));
        }

        @Override
        public void run() {
            if (gate.isOver()) {
                halted(this);
                return; // and nobody calls again: the bit stays clear
            }
            try {
                handleAll();
            } catch (Throwable t) { // of ours: of memory that has run out, say. Nobody would call the strand again
                halt.because(t);
                throw t;
            }
        }

        private void handleAll() {
            WorkerContext worker = WorkerContext.current();
            long begin = nanos(worker);
            long last = begin;
            handled = 0;
            boolean more = handleSome(this, worker);
            for (int batches = 1; more && !left && batches < BATCHES; batches++) {
                long now = nanos(worker);
                adapt(now - last);
                last = now;
                if (now - begin >= QUANTUM_NANOS || (worker != null && worker.isHurried())) {
                    break;
                }
                more = handleSome(this, worker);
            }
            if (left) {
                most = 1; // until they are short again
            }
            if (worker != null && handled > 1) {
                worker.countSteps(handled - 1);
            }
            if (!more && after.length == 0) {
                gate.caughtUp();
            }
            if (more || spins(worker) || !rest()) {
                go(); // the lane decides whether that is at once, or after others
            }
        }

        /** Waits a moment for work, where that pays and nothing else waits for the worker; false when none came. */
        private boolean spins(@Nullable WorkerContext worker) {
            return worker != null && spin.isWorthwhile() && spin.spin(hasWork, worker.scheduler()::hasReady);
        }

        private static long nanos(@Nullable WorkerContext worker) {
            return worker == null ? 0 : worker.scheduler().nanoTime();
        }

        private void adapt(long batchNanos) {
            if (batchNanos > QUANTUM_NANOS) {
                most = Math.max(1, most / 2);
            } else if (batchNanos < QUANTUM_NANOS / 4) {
                most = Math.min(maxBatch, most * 2);
            }
        }

        /**
         * Returns how many events the next batch may have: fewer where handlers are slow, so that others have their
         * turn.
         */
        int most() {
            return Math.min(maxBatch, most);
        }

        /** Goes idle; false when work has come meanwhile. */
        private boolean rest() {
            IDLE.getAndBitwiseOr(Stage.this, bit);
            VarHandle.fullFence(); // before the look at those before, whatever its mode (Stage-2)
            if (!hasWork()) {
                return true;
            }
            int bits = (int) IDLE.getAndBitwiseAnd(Stage.this, ~bit);
            return (bits & bit) == 0; // somebody else has called the strand
        }

        /** Begins the batch {@code [from, to)}; false if the end of the pipeline has come without it. */
        boolean begin(long from, long to) {
            if (before.length == 0 && !gate.includes(to)) {
                return false;
            }
            first = from;
            end = to;
            next = from;
            this.to = to;
            voidSeen = false;
            for (SkippedEvents voids : voidBefore) {
                voidSeen |= voids.any();
            }
            if (voidSeen) {
                leaveOutVoidEnds();
            }
            return true;
        }

        /** Returns the next event of the batch that was begun, or its end. */
        long next() {
            return next;
        }

        /** Returns whether the batch was left, to go on with. */
        boolean hasLeft() {
            return left;
        }

        /** Leaves the rest of the batch to another one. */
        void endBatch() {
            to = next;
        }

        boolean isWithin() {
            return next < to;
        }

        /** Handles the rest of the batch, unless it is halted or left, and returns where it stopped. */
        long proceed(@Nullable WorkerContext worker) {
            long from = next;
            left = false;
            boolean through = handleEach(worker);
            if (through) {
                next = to;
            }
            handled += next - from;
            return next;
        }

        private boolean handleEach(@Nullable WorkerContext worker) {
            for (; next < end; next++) {
                if (left || gate.isHalted()) {
                    return false;
                }
                if (voidSeen && isVoid(next)) {
                    continue;
                }
                current = next;
                try {
                    handler.handle(ring.event(next), this);
                } catch (Throwable t) {
                    if (!retryOrSkip(next, t)) {
                        return false;
                    }
                }
                boolean unused = Thread.interrupted(); // what this event left is nothing to the next, or to callbacks
                left = worker != null && worker.isHurried();
            }
            left = false;
            return true;
        }

        /** So that somebody sees the first event of the batch, and the last. */
        private void leaveOutVoidEnds() {
            while (first < end && isVoid(end - 1)) {
                end--;
            }
            while (first < end && isVoid(first)) {
                first++;
            }
        }

        /** Decides about a failed event; false when the pipeline is halted. */
        private boolean retryOrSkip(long sequence, Throwable failure) {
            Throwable last = failure;
            for (int retry = 0; retry < onError.retries; retry++) {
                if (gate.isHalted()) {
                    Failures.report(lane.key(), this, last);
                    return false; // neither handled nor given up
                }
                boolean unused = Thread.interrupted();
                try {
                    handler.handle(ring.event(sequence), this);
                    return true;
                } catch (Throwable t) {
                    last = t;
                }
            }
            boolean unused = Thread.interrupted();
            Failures.report(lane.key(), this, last);
            if (onError.halts) {
                halt.because(last);
                return false;
            }
            voids.add(sequence);
            return true;
        }

        CompletableFuture<?> quiesce() {
            return lane.quiesce();
        }

        @Override
        public long sequence() {
            return current;
        }

        @Override
        public int size() {
            return (int) (end - first);
        }

        @Override
        public boolean isFirst() {
            return current == first;
        }

        @Override
        public boolean isLast() {
            return current == end - 1;
        }

        @Override
        public String toString() {
            return lane.toString();
        }
    }

    /** Returns whether the handler has handled the event, which is still in its slot; after the stage has stopped. */
    final boolean hasHandled(long sequence) {
        return isBehind(sequence) && !voids.has(sequence) && !isVoid(sequence);
    }

    /** Returns whether this stage has passed the event. */
    boolean isBehind(long sequence) {
        return sequence < done.getVolatile();
    }

    private boolean isVoid(long sequence) {
        for (SkippedEvents voids : voidBefore) {
            if (voids.has(sequence)) {
                return true;
            }
        }
        return false;
    }

    /** Completes when nothing of this stage runs any more; after a halt. */
    final CompletableFuture<?> stopped() {
        return CompletableFuture.allOf(strands.stream().map(Handling::quiesce).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public final String toString() {
        return "stage " + name + " of pipeline " + gate.name();
    }

    // ---------------------------------------------------------------- kinds

    /** A stage that handles one event after the other. */
    static final class Serial<E> extends Stage<E> {
        Serial(Plan<E> plan, Lane lane) {
            super(plan, List.of(lane));
        }

        @Override
        boolean handleSome(Handling strand, @Nullable WorkerContext worker) {
            if (!strand.isWithin()) {
                long from = done.getPlain();
                long to = available(from, from + strand.most());
                if (to == from) {
                    return false;
                }
                if (!strand.begin(from, to)) {
                    return true;
                }
            }
            long reached = strand.proceed(worker);
            if (!strand.hasLeft() || !seesBatches()) {
                strand.endBatch();
                done.setVolatile(reached);
                moved();
            }
            return true;
        }

        @Override
        void halted(Handling strand) {
            if (strand.isWithin()) {
                done.setVolatile(strand.next());
            }
        }

        @Override
        boolean hasWork() {
            long from = done.getPlain();
            return available(from, from + 1) > from;
        }
    }
}
