// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * A pool that has run nothing yet is kept supplied with tasks; counted are those that end in a second, from half a
 * second after its first task on. So it has that half second to find its size.
 */
public record Steady(Kind kind, double micros) implements Workload {
    private static final int SETTLE_MILLIS = 500;
    private static final int COUNT_MILLIS = 1_000;
    private static final int LEAST_MILLIS = 20;
    private static final int SLEEP_EVERY = 10;

    /** What a task does. */
    public enum Kind {
        /** Sleeps for so many microseconds. */
        SLEEP,
        /** Blocks in the read of a socket for so many microseconds, which are whole milliseconds. */
        SOCKET,
        /** Computes for so many microseconds; one of ten sleeps for a millisecond instead. */
        MIX,
        /** Computes for so many microseconds, then sleeps for a fifth of a millisecond. */
        BOTH,
        /** Computes for so many microseconds while it holds the one lock of all. */
        LOCK,
        /** Computes for so many microseconds. */
        COMPUTE
    }

    /** Only a size for those whose size is told. */
    @Override
    public int threads() {
        return Supply.OUTSTANDING;
    }

    @Override
    public int outstanding() {
        return Supply.OUTSTANDING;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.RATE, Figures.PER_CPU_SECOND);
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public boolean freshExecutor() {
        return true;
    }

    @Override
    public Effort effort() {
        Duration pass = Duration.ofMillis(SETTLE_MILLIS + COUNT_MILLIS);
        return new Effort(pass, pass, pass, 1);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        if (kind == Kind.SOCKET) {
            try (LateServer server = new LateServer(Supply.OUTSTANDING, (int) (micros / 1_000))) {
                supply(stage, server::call);
            }
        } else {
            supply(stage, task(stage));
        }
    }

    private Runnable task(Stage stage) {
        Runnable burn = stage.burn(micros);
        ReentrantLock lock = new ReentrantLock();
        return switch (kind) {
            case SLEEP -> () -> sleep(micros);
            case BOTH ->
                () -> {
                    burn.run();
                    sleep(200);
                };
            case LOCK ->
                () -> {
                    lock.lock();
                    try {
                        burn.run();
                    } finally {
                        lock.unlock();
                    }
                };
            default -> burn;
        };
    }

    private static void sleep(double micros) {
        LockSupport.parkNanos((long) (micros * 1_000));
    }

    private void supply(Stage stage, Runnable body) throws InterruptedException {
        Supply supply = new Supply(stage);
        Runnable task = supply.counted(body);
        Runnable sleeper = supply.counted(() -> sleep(1_000));
        IntFunction<Runnable> tasks = index -> kind == Kind.MIX && index % SLEEP_EVERY == 0 ? sleeper : task;
        supply.submitFor(SETTLE_MILLIS, LEAST_MILLIS, tasks);
        Recorder recorder = stage.recorder();
        recorder.begin();
        double cpuBefore = recorder.contenderCpuNanos();
        long before = supply.ended();
        supply.submitFor(COUNT_MILLIS, LEAST_MILLIS, tasks);
        long ran = supply.ended() - before;
        double cpu = recorder.contenderCpuNanos() - cpuBefore;
        long nanos = recorder.end(ran);
        recorder.value(Figures.RATE, ran * 1e9 / nanos);
        recorder.value(Figures.PER_CPU_SECOND, ran * 1e9 / Math.max(1, cpu));
        supply.awaitLast();
    }
}
