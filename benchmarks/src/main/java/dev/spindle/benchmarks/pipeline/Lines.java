// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.peers.Contenders;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Who sends events through stages, and how each makes its pipeline. */
final class Lines {
    /** How many events those publish at a time who publish in bulk. */
    private static final int BULK = 32;

    static final Entrant LIMIT = new Entrant(Contenders.LIMIT, (shape, works, ring) -> new InPlaceLine(works, ring));

    static final Entrant SPINDLE =
            new Entrant(Contenders.SPINDLE, (shape, works, ring) -> new SpindleLine(shape, works, ring, true, 1));

    static final Entrant SPINDLE_MANY =
            new Entrant(Contenders.SPINDLE_MANY, (shape, works, ring) -> new SpindleLine(shape, works, ring, false, 1));

    static final Entrant SPINDLE_BULK = new Entrant(
            Contenders.SPINDLE_BULK, (shape, works, ring) -> new SpindleLine(shape, works, ring, true, BULK));

    static final Entrant BLOCKING = disruptor(Contenders.BLOCKING, BlockingWaitStrategy::new, 1);
    static final Entrant YIELDING = disruptor(Contenders.YIELDING, YieldingWaitStrategy::new, 1);
    static final Entrant YIELDING_BULK = disruptor(Contenders.YIELDING_BULK, YieldingWaitStrategy::new, BULK);
    static final Entrant SLEEPING = disruptor(Contenders.SLEEPING, SleepingWaitStrategy::new, 1);
    static final Entrant ABQ = queues(Contenders.ABQ, ArrayBlockingQueue::new);
    static final Entrant CONVERSANT = queues(Contenders.CONVERSANT, DisruptorBlockingQueue::new);

    private Lines() {}

    /** A contender that has pipelines. */
    record Entrant(Contender contender, Line.Maker maker) {}

    private static Entrant disruptor(Contender contender, Supplier<WaitStrategy> strategy, int batch) {
        return new Entrant(
                contender, (shape, works, ring) -> new DisruptorLine(shape, works, ring, strategy.get(), batch));
    }

    private static Entrant queues(Contender contender, IntFunction<BlockingQueue<Event>> queue) {
        return new Entrant(contender, (shape, works, ring) -> new QueueLine(shape, works, () -> queue.apply(ring)));
    }
}
