// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.lane.LaneTable;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a keyed task that is submitted and run by one thread. Each task makes its lane ready, and the lane is
 * idle again after the task. The measured cost includes no queue of ready lanes and no worker threads.
 */
final class OneTask implements Subject {
    static final Figure BYTES = Figure.less("bytes_per_task", "bytes allocated/task");
    static final Map<Contender, Supplier<Way>> WAYS = new LinkedHashMap<>();

    private static final int KEYS = 1_000;
    private static final int BATCH = 8;
    private static final int REPEATS = 1_000;
    private static final com.sun.management.ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);

    static {
        WAYS.put(Contenders.SPINDLE, () -> new Lanes().byKey());
        WAYS.put(Contenders.SPINDLE_HANDLE, () -> new Lanes().byHandle(1));
        WAYS.put(Contender.ours("spindle-batch", "Spindle, by handle, 8 at a time"), () -> new Lanes().byHandle(BATCH));
        WAYS.put(Contender.ours("spindle-coalesce", "Spindle, a task that replaces another"), OneTask::coalesce);
    }

    /** Submits tasks: {@code submit} submits a task of each key {@code each} times. */
    record Way(Count count, int each, Runnable submit, Runnable ending) {}

    private static final class Count implements Runnable {
        private long runs;

        @Override
        public void run() {
            runs++;
        }
    }

    private final Way way;
    private final int repeats;

    OneTask(Way way, Scale scale) {
        this.way = way;
        repeats = scale.of(REPEATS, 1);
    }

    @Override
    public void pass(Recorder recorder) {
        long ranBefore = way.count.runs;
        int tasks = repeats * KEYS * Math.max(1, way.each);
        recorder.begin();
        long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < repeats; i++) {
            way.submit.run();
        }
        double bytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
        recorder.end(tasks);
        recorder.value(BYTES, bytes / tasks);
        recorder.violations(Math.abs(way.count.runs - ranBefore - (way.each == 0 ? 0 : tasks)));
    }

    @Override
    public void close() {
        way.ending.run();
    }

    /** Returns a way whose tasks supersede a pending task. The key is paused, so that no task runs. */
    private static Way coalesce() {
        Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(1).build();
        Keyed<Integer> keyed = spindle.keyed("keys");
        Integer key = -1;
        keyed.at(key).pause();
        Runnable task = () -> {};
        Runnable submit = () -> {
            for (int i = 0; i < KEYS; i++) {
                var unused = keyed.coalesce(key, task);
            }
        };
        return new Way(new Count(), 0, submit, () -> {
            keyed.at(key).resume();
            spindle.close();
        });
    }

    /** A scheduler without threads, and lanes that run on the calling thread when it invokes {@link #drain}. */
    private static final class Lanes implements Scheduler {
        private final Count task = new Count();
        private final WorkerContext worker = new WorkerContext(this, WorkerContext.QUANTUM_NANOS);
        private final LaneTable table = new LaneTable(this, Integer.MAX_VALUE, () -> {}, (LaneCore died) -> {});
        private final LaneSpace space = table.add(new LaneSpace(table, "keys"));
        private final Integer[] keys = new Integer[KEYS];
        private @Nullable LaneCore ready;

        Lanes() {
            worker.bind();
            Arrays.setAll(keys, key -> key);
        }

        Way byKey() {
            Runnable submit = () -> {
                for (Integer key : keys) {
                    space.lane(key).push(task);
                    drain();
                }
            };
            return new Way(task, 1, submit, worker::unbind);
        }

        Way byHandle(int batch) {
            LaneCore[] handles = Arrays.stream(keys).map(space::lane).toArray(LaneCore[]::new);
            Runnable submit = () -> {
                for (LaneCore lane : handles) {
                    for (int i = 0; i < batch; i++) {
                        lane.push(task);
                    }
                    drain();
                }
            };
            return new Way(task, batch, submit, worker::unbind);
        }

        /** Runs one turn of the lane that became ready last. */
        private void drain() {
            LaneCore lane = ready;
            if (lane != null) {
                ready = null;
                lane.turn(worker);
            }
        }

        @Override
        public void ready(Object entry) {
            ready = (LaneCore) entry;
        }

        @Override
        public void readyAgain(ReadyEntry entry, WorkerContext worker) {
            ready = (LaneCore) entry;
        }

        @Override
        public boolean hasReady() {
            return false;
        }

        @Override
        public long recentNanos() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void failed(@Nullable Object key, Runnable failed, Throwable failure) {
            throw new AssertionError("no task of a benchmark fails", failure);
        }
    }
}
