// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import com.google.common.util.concurrent.MoreExecutors;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Recorder.LatencyHistogram;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.executors.SerialExecutors.UnorderedEventExecutor;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Loads that share the machine with other processes, or the pool with other executors and keys. */
final class Neighbours {
    static final Figure QUIET_RATIO = Figure.less("quiet_ratio", "quiet ones' p99 with a flood / alone");
    static final Figure QUIET_ALONE = Figure.less("quiet_alone_p99_us", "quiet ones' start delay alone p99, us");
    static final Figure QUIET_FLOODED = Figure.less("quiet_flooded_p99_us", "with a flood p99, us");

    /** The shell ends within milliseconds after the end of its parent. */
    private static final String BUSY =
            "while kill -0 $PPID 2>/dev/null; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; done";

    private static final int TASKS = 200_000;
    private static final int MOST_OUTSTANDING = 4_096;
    private static final int FLOOD = 1_000;
    private static final int PER_SECOND = 3_100;

    private Neighbours() {}

    /** Runs another load while a number of busy processes compete for the processors. */
    static Load crowded(Load inner, int strangers) {
        Effort alone = inner.effort();
        return new Load(inner.threads(), inner.outstanding(), List.of(Load.PER_CPU_SECOND, Load.RATE), stage -> {
                    Recorder recorder = stage.recorder();
                    double cpuBefore = recorder.cpuNanos();
                    long tasksBefore = recorder.ops();
                    List<Process> busy = new ArrayList<>();
                    try {
                        for (int i = 0; i < strangers; i++) {
                            busy.add(startBusy());
                        }
                        inner.pass().run(stage);
                    } finally {
                        busy.forEach(process -> recorder.hired(end(process)));
                    }
                    double seconds = (recorder.cpuNanos() - cpuBefore) / 1e9;
                    recorder.value(Load.PER_CPU_SECOND, (recorder.ops() - tasksBefore) / seconds);
                })
                .withEffort(
                        new Effort(alone.warmUp(), alone.timed(), alone.pass().multipliedBy(3), alone.passes()));
    }

    private static Process startBusy() {
        try {
            return new ProcessBuilder("sh", "-c", BUSY)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("no busy process can be started with sh", e);
        }
    }

    private static long end(Process process) {
        Duration used = process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
        process.destroyForcibly();
        return used.toNanos();
    }

    /**
     * Returns executors or keys on a contender's pool. Peers have serial executors in both cases.
     *
     * @param limit the capacity of each executor; 0 for keys
     */
    private static Executor[] users(Stage stage, int count, int limit) {
        Executor pool = stage.executor();
        IntFunction<Executor> user = index -> MoreExecutors.newSequentialExecutor(pool);
        if (stage.contender() == Contenders.PLAIN) {
            user = index -> pool;
        } else if (pool instanceof Spindle spindle) {
            Keyed<Integer> keyed = spindle.keyed("keys");
            user = index -> limit == 0 ? keyed.at(index) : spindle.executor("user-" + index, limit);
        } else if (stage.contender() == Contenders.NON_STICKY) {
            NonStickyEventExecutorGroup group =
                    new NonStickyEventExecutorGroup(new UnorderedEventExecutor(stage.executor()));
            user = index -> group.next();
        }
        return IntStream.range(0, count).mapToObj(user).toArray(Executor[]::new);
    }

    /** Tasks are submitted alternately to executors and to keys; a few keys get most of the tasks. */
    static Load sharedTotal(int threads, int executors, int limit, int keys, double micros) {
        return new Load(threads, MOST_OUTSTANDING, stage -> {
                    Tally tally = stage.tally(stage.scaled(TASKS, 500));
                    Runnable burn = Burn.task(micros);
                    int[] chosen = choose(tally.expected(), executors, keys);
                    Executor[] ofExecutors = stage.limit() ? new Executor[0] : users(stage, executors, limit);
                    Executor[] ofKeys = stage.limit() ? new Executor[0] : users(stage, keys, 0);
                    boolean ordered = stage.contender() != Contenders.PLAIN;
                    int[] submitted = new int[keys];
                    int[] ran = new int[keys]; // plain, so that missing visibility between tasks of a key is detected
                    stage.rate(tally, burn, micros, task -> {
                        for (int index = 0; index < tally.expected(); index++) {
                            if (index % (MOST_OUTSTANDING / 4) == 0) {
                                tally.awaitDone(index - MOST_OUTSTANDING * 3 / 4, micros);
                            }
                            if (index % 2 == 0) {
                                ofExecutors[chosen[index]].execute(task.apply(index));
                            } else {
                                int key = chosen[index];
                                int turn = submitted[key]++;
                                Runnable next = task.apply(index);
                                ofKeys[key].execute(() -> {
                                    if (ordered && ran[key]++ != turn) {
                                        tally.ranOutOfOrder();
                                    }
                                    next.run();
                                });
                            }
                        }
                    });
                })
                .onSharedPool()
                .withEffort(Effort.millis(2_500, 1_000, 300).atMost(200));
    }

    /**
     * Returns an executor for each even index and a key for each odd index. An eighth of the keys gets half of the
     * keyed tasks.
     */
    private static int[] choose(int count, int executors, int keys) {
        Random random = new Random(32);
        int[] chosen = new int[count];
        for (int index = 0; index < count; index++) {
            double point = random.nextDouble();
            chosen[index] = index % 2 == 0 ? (int) (point * executors) : (int) (Math.pow(point, 3) * keys);
        }
        return chosen;
    }

    /** Measures executors that are mostly idle, alone and while another executor of the pool is flooded. */
    static Load quiet(int threads, int executors, int limit) {
        List<Figure> figures = List.of(QUIET_FLOODED, QUIET_ALONE, QUIET_RATIO);
        return new Load(threads, FLOOD + PER_SECOND, figures, stage -> {
                    Executor[] users = users(stage, executors, limit);
                    double alone = quietTail(stage, users);
                    Semaphore places = new Semaphore(FLOOD);
                    Thread producer = flood(users[0], places);
                    double flooded = quietTail(stage, users);
                    producer.interrupt();
                    Waits.ignoring(producer::join);
                    places.acquire(FLOOD);
                    stage.recorder().value(QUIET_ALONE, alone / 1_000);
                    stage.recorder().value(QUIET_FLOODED, flooded / 1_000);
                    stage.recorder().value(QUIET_RATIO, flooded / alone);
                })
                .onSharedPool()
                .withLimit(0)
                .withEffort(Effort.millis(1_000, 4_000, 2_000).atMost(200));
    }

    /** Returns the 99th percentile of the start delays of all executors except the first, in nanoseconds. */
    private static double quietTail(Stage stage, Executor[] users) {
        LatencyHistogram delays = new LatencyHistogram();
        Clients.paced(stage, PER_SECOND, 1, 0, delays, index -> users[1 + index % (users.length - 1)]);
        return delays.percentile(0.99);
    }

    /** Starts a thread that keeps an executor supplied with tasks until the thread is interrupted. */
    private static Thread flood(Executor executor, Semaphore places) {
        Runnable burn = Burn.task(1);
        Runnable task = () -> {
            burn.run();
            places.release();
        };
        return Waits.start(
                "flood",
                () -> Waits.ignoring(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        places.acquire();
                        executor.execute(task);
                    }
                }));
    }
}
