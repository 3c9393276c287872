// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.peers.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A contender, set up for one cell, and how large the passes are. One thread uses it. Its first pass is a checked one.
 */
public final class Stage implements Subject {
    private final Contender contender;
    private final Pools.@Nullable Maker maker;
    private final Workload workload;
    private final Scale scale;
    private final Burn burn = Burn.ofThisRun();
    private final int threadsBefore = OwnProcess.liveThreads();
    private final List<Tally> tallies = new ArrayList<>();

    private @Nullable ExecutorService executor;
    private @Nullable PlainThreads plain;
    private Recorder recorder = new Recorder();
    private int passes;

    /** @param maker null for the limit, which does the work in place */
    public Stage(Contender contender, Pools.@Nullable Maker maker, Workload workload, Scale scale) {
        this.contender = contender;
        this.maker = maker;
        this.workload = workload;
        this.scale = scale;
        open();
    }

    @Override
    public void pass(Recorder into) throws InterruptedException {
        if (workload.freshExecutor() && passes > 0) {
            close();
            OwnProcess.settle(threadsBefore);
            open();
        }
        recorder = into;
        passes++;
        workload.pass(this);
    }

    /** Whether there is no executor, and the work is done in place. */
    public boolean limit() {
        return maker == null;
    }

    public ExecutorService executor() {
        if (executor == null) {
            throw new IllegalStateException(contender + " has no executor");
        }
        return executor;
    }

    /** Who it is, for workloads that users write differently for each. */
    public Contender contender() {
        return contender;
    }

    /** The threads of the limit. */
    public PlainThreads plain() {
        if (plain == null) {
            throw new IllegalStateException(contender + " has no plain threads");
        }
        return plain;
    }

    public Recorder recorder() {
        return recorder;
    }

    public Runnable burn(double micros) {
        return burn.task(micros);
    }

    /** A number of tasks, rounds or trips for one pass, scaled down in a short run, but not below {@code least}. */
    public int scaled(int full, int least) {
        return scale.of(full, least);
    }

    /** Counts the tasks of a pass; what it counts is verified when the stage has closed. */
    public Tally tally(int tasks) {
        Tally tally = passes == 1 ? Tally.checked(tasks) : Tally.counted(tasks);
        tallies.add(tally);
        return tally;
    }

    /** Tasks of all passes that did not run exactly once, or not in their order. */
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
            plain = new PlainThreads(workload.limitThreads(Runtime.getRuntime().availableProcessors()));
        } else {
            executor = maker.of(workload.threads(), workload.outstanding());
        }
    }
}
