// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.OwnProcess;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A contender that is prepared for one load. The first pass checks that each task runs exactly once. This class is not
 * thread-safe.
 */
public final class Stage implements Subject {
    private final Contender contender;
    private final Pools.@Nullable Maker maker;
    private final Load load;
    private final Scale scale;
    private final int threadsBefore = OwnProcess.liveThreads();
    private final List<Tally> tallies = new ArrayList<>();
    private @Nullable ExecutorService executor;
    private @Nullable Producers plain;
    private Recorder recorder = new Recorder();
    private int passes;

    /**
     * Creates a stage for a contender.
     *
     * @param maker creates the executor; null for the limit
     */
    public Stage(Contender contender, Pools.@Nullable Maker maker, Load load, Scale scale) {
        this.contender = contender;
        this.maker = maker;
        this.load = load;
        this.scale = scale;
        open();
    }

    interface Submission {
        void run(IntFunction<Runnable> tasks) throws InterruptedException;
    }

    @Override
    public void pass(Recorder into) throws InterruptedException {
        if (load.fresh() && passes > 0) {
            close();
            OwnProcess.settle(threadsBefore);
            open();
        }
        recorder = into;
        passes++;
        load.pass().run(this);
    }

    /**
     * Measures the rate of tasks that run {@code body}. The limit runs the tasks on plain threads, and any other
     * contender on its executor.
     */
    void rate(Tally tally, Runnable body, double micros, Submission submission) throws InterruptedException {
        rate(tally, tally.tasks(body), micros, submission);
    }

    void rate(Tally tally, IntFunction<Runnable> tasks, double micros, Submission submission)
            throws InterruptedException {
        recorder.begin();
        run(tally, tasks, micros, submission);
        recorder.value(Load.RATE, tally.expected() * 1e9 / recorder.end(tally.expected()));
    }

    void run(Tally tally, IntFunction<Runnable> tasks, double micros, Submission submission)
            throws InterruptedException {
        if (plain != null) {
            plain.runAll(tally.expected(), index -> tasks.apply(index).run());
        } else {
            submission.run(tasks);
            tally.await(micros);
        }
    }

    boolean limit() {
        return maker == null;
    }

    ExecutorService executor() {
        if (executor == null) {
            throw new IllegalStateException(contender + " has no executor");
        }
        return executor;
    }

    Contender contender() {
        return contender;
    }

    Recorder recorder() {
        return recorder;
    }

    int scaled(int full, int least) {
        return scale.of(full, least);
    }

    /** Returns a new tally for the tasks of a pass, which is verified after the stage has been closed. */
    Tally tally(int tasks) {
        Tally tally = passes == 1 ? Tally.checked(tasks) : Tally.counted(tasks);
        tallies.add(tally);
        return tally;
    }

    /** Returns the executor; that of the limit runs a task on the calling thread. */
    Executor executorOrCaller() {
        return limit() ? Runnable::run : executor();
    }

    @Override
    public long violations() {
        return tallies.stream().mapToLong(Tally::miscounted).sum();
    }

    @Override
    public void close() {
        if (plain != null) {
            plain.close();
            plain = null;
        }
        if (executor != null) {
            ExecutorService ending = executor;
            executor = null;
            Pools.close(ending);
        }
    }

    private void open() {
        if (maker == null) {
            plain = new Producers(load.limitThreads());
        } else {
            executor = maker.of(load.threads(), load.outstanding());
        }
    }
}
