// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import dev.spindle.benchmarks.compare.Contender;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Who sends events through stages, and how each makes its pipeline. */
final class Lines {
    static final Entrant LIMIT = new Entrant(
            Contender.limit("limit", "limit: no hand-over"), (shape, works, ring) -> new InPlaceLine(works, ring));

    static final Entrant SPINDLE = new Entrant(
            Contender.ours("spindle", "Spindle pipeline, one publisher"),
            (shape, works, ring) -> new SpindleLine(shape, works, ring, true));

    static final Entrant SPINDLE_MANY = new Entrant(
            Contender.ours("spindle-many", "Spindle pipeline, any number of publishers"),
            (shape, works, ring) -> new SpindleLine(shape, works, ring, false));

    static final Entrant BLOCKING = disruptor("blocking", BlockingWaitStrategy::new);
    static final Entrant YIELDING = disruptor("yielding", YieldingWaitStrategy::new);
    static final Entrant SLEEPING = disruptor("sleeping", SleepingWaitStrategy::new);

    static final Entrant ABQ = queues("abq", "threads and ArrayBlockingQueues", ArrayBlockingQueue::new);
    static final Entrant CONVERSANT =
            queues("conversant", "threads and Conversant's DisruptorBlockingQueues", DisruptorBlockingQueue::new);

    private Lines() {}

    /** A contender that has pipelines. */
    record Entrant(Contender contender, Line.Maker maker) {}

    private static Entrant disruptor(String waiting, Supplier<WaitStrategy> strategy) {
        return new Entrant(
                Contender.peer("disruptor-" + waiting, "Disruptor, " + waiting),
                (shape, works, ring) -> new DisruptorLine(shape, works, ring, strategy.get()));
    }

    private static Entrant queues(String id, String title, IntFunction<BlockingQueue<Event>> queue) {
        return new Entrant(
                Contender.peer(id, title),
                (shape, works, ring) -> new QueueLine(shape, works, () -> queue.apply(ring)));
    }
}
