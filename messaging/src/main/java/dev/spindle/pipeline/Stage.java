// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Activity;
import dev.spindle.Lane;
import dev.spindle.Stats;
import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.report.Figures;
import dev.spindle.messaging.FailureReporter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A stage of a pipeline: one strand, or several strands that share the events of the stage. */
abstract class Stage<E> {
    /*
     * Publishers and preceding stages wake a stage when it has work. An idle stage has no task in the pool and uses no
     * thread. An end stage is a stage that no stage follows.
     *
     * field   writers                       readers                        mode
     * done    the stage                     following stages; publishers   volatile write, acquire or volatile read
     * idle    the stage, and its wakers     publishers, preceding stages   volatile, CAS; a bit per strand, set while
     *                                                                      it has nothing to do
     *
     * Stage-1  Each strand has at most one task in the pool: the thread that clears its idle bit submits the task, and
     *     the task finally submits itself again or sets the bit. If the task is rejected or withdrawn, the bit stays
     *     clear and no thread can wake the strand, so the pipeline is halted.
     * Stage-2  No event waits for a later event (S1): a publisher commits, or a preceding stage writes `done`, and then
     *     reads `idle`; a strand sets its idle bit and then checks for events. Both pairs of accesses are volatile or
     *     separated by a full fence, so the first thread sees the bit, or the strand sees the event.
     * Stage-3  `done` moves past an event after its handler has returned. The effects of the handler are visible to a
     *     thread that reads `done` (P1).
     * Stage-4  A stage handles an event after all stages that it follows have moved past the event.
     * Stage-8  A strand interrupts a batch, between two events, when other work has waited for a long time
     *     (WorkerContext.hurry), and continues the batch in its next turn. If the handler is a BatchHandler, `done`
     *     moves only after the last event of the batch.
     *
     * Stage-9  What a halt leaves can be read although a handler does not return: after a halt, which a strand reads
     *     before each event, `next` is the event of the handler that runs, or the first event that will not be handled.
     *
     * Tests: PipelineTest, PipelineOnSpindleTest, ClosersContractTest (Stage-9), RandomProgramStressTest; jcstress
     * PublishAgainstIdle, AdvanceAgainstIdle (Stage-2), AdvanceThenHandle (Stage-3).
     */
    /** The maximum number of batches in one task, after which the lane may run other tasks. Not measured. */
    private static final int BATCHES = 8;

    /** The maximum number of events of the first batches of a strand. Not measured. */
    private static final int FIRST_BATCH = 16;

    private static final LongSupplier CLOCK = System::nanoTime; // for spinning strands
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
    private final ErrorPolicy errorPolicy;
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
    private final LongAdder failed = new LongAdder();

    /** A function that halts the whole pipeline. */
    interface Halt {
        void because(Throwable cause);
    }

    /** The parameters of a stage. */
    record Plan<E>(
            String name,
            BatchHandler<? super E> handler,
            boolean seesBatches,
            ErrorPolicy errorPolicy,
            int maxBatch,
            Ring<E> ring,
            RingLayout layout,
            PublisherGate<E> gate,
            Halt halt) {}

    Stage(Plan<E> plan, List<Lane> lanes) {
        name = plan.name;
        handler = plan.handler;
        errorPolicy = plan.errorPolicy;
        maxBatch = plan.maxBatch;
        seesBatches = plan.seesBatches;
        ring = plan.ring;
        gate = plan.gate;
        halt = plan.halt;
        voids = new SkippedEvents(plan.layout);
        for (int i = 0; i < lanes.size(); i++) {
            strands.add(new Handling(lanes.get(i), i));
        }
        idle = (int) ((1L << lanes.size()) - 1);
    }

    /**
     * Sets the related stages. Called before the first event.
     *
     * @param ancestors all stages that this stage follows, directly or indirectly
     */
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

    /** Adds the strands of this stage to {@code list}. */
    void actsIn(WaitList list) {
        strands.forEach(strand -> list.actsFor(strand.lane, this));
    }

    int width() {
        return strands.size();
    }

    /** Returns the number of events whose handling failed for good. */
    long failed() {
        return failed.sum();
    }

    /** Returns the number of strands that have events to handle. */
    int running() {
        return strands.size() - Integer.bitCount(idle);
    }

    /** Returns the counts of this stage; {@code over} is true if no stage will run again. */
    Stats stats(boolean over) {
        long passed = done.getVolatile();
        long pending = over ? 0 : available(passed, passed + ring.size()) - passed;
        return new Figures(
                name,
                passed + pending,
                passed,
                failed(),
                0,
                0,
                0,
                0,
                pending,
                over ? 0 : running(),
                ring.size(),
                width());
    }

    // ---------------------------------------------------------------- wake and idle

    /** Wakes one idle strand, if any. Called by publishers after a commit and by preceding stages after they moved. */
    final void wake() {
        for (int bits = idle; bits != 0; bits = idle) {
            int bit = Integer.lowestOneBit(bits);
            if (IDLE.compareAndSet(this, bits, bits & ~bit)) {
                strands.get(Integer.numberOfTrailingZeros(bit)).go();
                return;
            }
        }
    }

    /** Returns the first number in {@code [from, limit)} that this stage may not handle yet, or {@code limit}. */
    final long available(long from, long limit) {
        if (before.length == 0) {
            return ring.committedUpTo(from, limit);
        }
        long available = limit;
        for (Sequence done : before) {
            available = Math.min(available, done.get()); // Stage-4
        }
        return available;
    }

    /** Wakes the following stages; an end stage notifies the gate. Called after a volatile write of {@code done}. */
    final void moved() {
        for (Stage<?> stage : after) {
            stage.wake();
        }
        if (after.length == 0) {
            gate.moved();
        }
    }

    // ---------------------------------------------------------------- handle

    /** Handles some events in {@code strand}; returns false if there were none. */
    abstract boolean handleSome(Handling strand, @Nullable WorkerContext worker);

    /** Returns whether there are events to handle now. */
    abstract boolean hasWork();

    /** Moves {@code done} past the handled events of a batch that {@code strand} has left and will not continue. */
    void halted(Handling strand) {}

    final boolean seesBatches() {
        return seesBatches;
    }

    /** A strand of the stage, and the task that it submits. */
    final class Handling extends InternalTask implements CancellableEntry {
        private final Lane lane;
        private final int bit;
        private final AdaptiveSpin spin = AdaptiveSpin.ofStage(CLOCK);
        private int most = FIRST_BATCH;
        private long handled; // the number of events handled in this task
        private long end;
        private long from; // the first event of the batch
        private long next; // the next event of the batch, which ends before `to`
        private long to;
        private boolean voidSeen;
        private boolean left; // true if the batch was left for other work

        Handling(Lane lane, int index) {
            this.lane = lane;
            this.bit = 1 << index;
        }

        private void go() {
            try {
                lane.execute(this);
            } catch (Throwable t) { // no thread would wake the strand again (Stage-1)
                halt.because(t);
                if (!(t instanceof RejectedExecutionException)) {
                    throw t;
                }
            }
        }

        /** Returns true, so that a lane that was shut down and has not ended accepts the task. */
        @Override
        public boolean goesOn() {
            return true;
        }

        @Override
        public Runnable userTask() {
            return this;
        }

        /** Halts the pipeline. Called by a {@code shutdownNow} of the spindle. */
        @Override
        public void withdrawn() {
            halted(this);
            halt.because(cancelled(name));
        }

        @Override
        public void run() {
            if (gate.isOver()) {
                halted(this);
                return; // the idle bit stays clear, so no thread wakes the strand again
            }
            try {
                handleAll();
            } catch (Throwable t) { // no thread would wake the strand again
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
                if (now - begin >= WorkerContext.QUANTUM_NANOS || (worker != null && worker.isHurried())) { // N1
                    break;
                }
                more = handleSome(this, worker);
            }
            if (left) {
                most = 1; // adapt() raises the limit again after short batches
            }
            if (worker != null && handled > 1) {
                worker.countSteps(handled - 1);
            }
            if (!more && after.length == 0) {
                gate.caughtUp(); // PublisherGate-2
            }
            if (more || spins(worker) || !rest()) {
                go(); // the lane runs the task next, or after other tasks
            }
        }

        /** Spins for events if this is worthwhile and no other work is ready. Returns whether there is an event. */
        private boolean spins(@Nullable WorkerContext worker) {
            return worker != null && spin.isWorthwhile() && spin.spin(hasWork, worker.scheduler()::hasReady);
        }

        private static long nanos(@Nullable WorkerContext worker) {
            return worker == null ? 0 : worker.scheduler().nanoTime();
        }

        private void adapt(long batchNanos) {
            if (batchNanos > WorkerContext.QUANTUM_NANOS) {
                most = Math.max(1, most / 2);
            } else if (batchNanos < WorkerContext.QUANTUM_NANOS / 4) {
                most = Math.min(maxBatch, most * 2);
            }
        }

        /**
         * Returns the maximum size of the next batch. While handlers are slow, batches are smaller, so that the worker
         * can run other work in between.
         */
        int most() {
            return Math.min(maxBatch, most);
        }

        /** Sets the idle bit. Returns false if there is an event again and the caller must continue. */
        private boolean rest() {
            IDLE.getAndBitwiseOr(Stage.this, bit);
            VarHandle.fullFence(); // hasWork() uses acquire reads (Stage-2)
            if (!hasWork()) {
                return true;
            }
            int bits = (int) IDLE.getAndBitwiseAnd(Stage.this, ~bit);
            return (bits & bit) == 0; // true if another thread has submitted the task already
        }

        /** Begins the batch {@code [from, to)}. Returns false if the pipeline has ended without these events. */
        boolean begin(long from, long to) {
            if (before.length == 0 && !gate.includes(to)) {
                return false;
            }
            end = to;
            this.from = from;
            next = from;
            this.to = to;
            voidSeen = false;
            for (SkippedEvents voids : voidBefore) {
                voidSeen |= voids.any();
            }
            if (voidSeen) {
                leaveOutVoidEnd();
            }
            return true;
        }

        /** Returns the next number of the current batch, or its end. */
        long next() {
            return next;
        }

        /** Returns true if the last batch was left before its end and is to be continued. */
        boolean hasLeft() {
            return left;
        }

        /** Ends the batch at the next event that it has not handled; another batch begins there. */
        void endBatch() {
            to = next;
        }

        boolean isWithin() {
            return next < to;
        }

        /**
         * Returns whether this strand has handled the event in its unfinished batch, or is handling it. For any thread,
         * after a halt: the strand then begins no event, and moves past at most one. The reads are racy (Stage-9).
         */
        private boolean covers(long sequence) {
            long at = next; // Stage-9
            return from <= sequence && at < to && (sequence < at || (sequence == at && activity() != null));
        }

        /** Returns what this strand does if it runs now, else null. */
        private @Nullable ActivityView activity() {
            ActivityView now = (ActivityView) lane.activity();
            return isWithin() && now.runningFor() != null ? now : null;
        }

        /**
         * Handles the remaining events of the batch, until the pipeline is halted or the strand leaves the batch.
         * Returns the first number that was not handled.
         */
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
                if (voidSeen && isVoid(next)) { // Ring-4
                    continue;
                }
                try {
                    handler.handle(ring.event(next), next, next == end - 1);
                } catch (Throwable t) {
                    if (!retryOrSkip(next, t)) {
                        return false;
                    }
                }
                boolean unused = Thread.interrupted(); // the handler of the next event must not see an interrupt
                left = worker != null && worker.isHurried();
            }
            left = false;
            return true;
        }

        /** Shortens the batch so that its last event is not void: the handler must see the end of the batch. */
        private void leaveOutVoidEnd() {
            while (next < end && isVoid(end - 1)) {
                end--;
            }
        }

        /** Handles a failed event by the error policy. Returns false if the pipeline is halted. */
        private boolean retryOrSkip(long sequence, Throwable failure) {
            Throwable last = failure;
            for (int retry = 0; retry < errorPolicy.retries; retry++) {
                if (gate.isHalted()) {
                    FailureReporter.report(Stage.this, this, last);
                    return false; // the event is neither handled nor skipped
                }
                boolean unused = Thread.interrupted();
                try {
                    handler.handle(ring.event(sequence), sequence, sequence == end - 1);
                    return true;
                } catch (Throwable t) {
                    last = t;
                }
            }
            boolean unused = Thread.interrupted();
            failed.increment();
            FailureReporter.report(Stage.this, this, last);
            if (errorPolicy.halts) {
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
        public String toString() {
            return lane.toString();
        }
    }

    /**
     * Returns whether this stage has handled the event. Called after the stage has stopped, while the event is in its
     * slot.
     */
    final boolean hasHandled(long sequence) {
        return isBehind(sequence) && !voids.has(sequence) && !isVoid(sequence);
    }

    /**
     * Returns whether this stage has moved past the event, has handled it, or is handling it (Stage-9). Exact after a
     * halt.
     */
    final boolean covers(long sequence) {
        return isBehind(sequence) || strands.stream().anyMatch(strand -> strand.covers(sequence));
    }

    /** Returns the strands that handle an event now. */
    final List<Activity> runs() {
        long passed = done.getVolatile();
        int pending = (int) LongStream.range(passed, available(passed, passed + ring.size()))
                .filter(sequence -> !covers(sequence))
                .count();
        List<Activity> all = new ArrayList<>();
        for (Handling strand : strands) {
            ActivityView now = strand.activity();
            if (now != null) {
                all.add(now.ofHandler(this::toString, pending));
            }
        }
        return all;
    }

    /** Interrupts the handlers, and ends the strands. Called after a halt. */
    final void interrupt() {
        strands.forEach(strand -> strand.lane.shutdownNow());
    }

    /** Returns whether this stage has moved past the event. */
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

    /** Returns a future that completes when no strand of this stage will run again. Called after a halt. */
    final CompletableFuture<?> stopped() {
        return CompletableFuture.allOf(strands.stream().map(Handling::quiesce).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public final String toString() {
        return "stage " + name + " of pipeline " + gate.name();
    }

    // ---------------------------------------------------------------- kinds

    /** A stage that handles one event at a time. */
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
            long reached = strand.proceed(worker); // Stage-3
            if (!strand.hasLeft() || !seesBatches()) { // Stage-8
                strand.endBatch();
                done.setVolatile(reached); // Stage-2
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
