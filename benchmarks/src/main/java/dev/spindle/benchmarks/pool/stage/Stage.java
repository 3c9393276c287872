// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A contender, set up for one cell, and how large the passes are. One thread uses it. */
public final class Stage implements AutoCloseable {
    private static final long END_SECONDS = 10;

    private final Contender contender;
    private final Workload workload;
    private final Burn burn;
    private final double scale;
    private final List<Tally> tallies = new ArrayList<>();

    private final List<ExecutorService> others = new ArrayList<>();

    private @Nullable ExecutorService executor;
    private @Nullable PlainThreads plain;
    private Recorder recorder = new Recorder(ThreadSwitches.now());
    private boolean checked;

    public Stage(Contender contender, Workload workload, Burn burn, double scale) {
        this.contender = contender;
        this.workload = workload;
        this.burn = burn;
        this.scale = scale;
        open();
    }

    /** Runs one pass. */
    public void pass(Recorder into, boolean check) throws InterruptedException {
        if (workload.freshExecutor() && !tallies.isEmpty()) {
            end();
            open();
        }
        recorder = into;
        checked = check;
        workload.pass(this);
    }

    /** Whether there is no executor, and the work is done in place. */
    public boolean limit() {
        return contender == Contender.LIMIT;
    }

    public ExecutorService executor() {
        if (executor == null) {
            throw new IllegalStateException(contender + " has no executor");
        }
        return executor;
    }

    /** One more executor like the first, for the rest of the stage's life. */
    public ExecutorService another() {
        ExecutorService made = openOne();
        others.add(made);
        return made;
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
        return Math.max(least, (int) (full * scale));
    }

    /** Counts the tasks of a pass; what it counts is verified when the stage has closed. */
    public Tally tally(int tasks) {
        Tally tally = checked ? Tally.checked(tasks) : Tally.counted(tasks);
        tallies.add(tally);
        return tally;
    }

    /** Tasks of all passes that did not run exactly once. Exact after closing. */
    public long miscounted() {
        return tallies.stream().mapToLong(Tally::miscounted).sum();
    }

    @Override
    public void close() {
        end();
    }

    private void open() {
        if (limit()) {
            plain = new PlainThreads(workload.limitThreads(Runtime.getRuntime().availableProcessors()));
        } else {
            executor = openOne();
        }
    }

    private ExecutorService openOne() {
        return contender.open(new Contender.Demand(workload.threads(), workload.outstanding(), workload.capacity()));
    }

    private void end() {
        others.forEach(this::shutdown);
        others.clear();
        if (plain != null) {
            plain.close();
            plain = null;
        }
        if (executor != null) {
            ExecutorService ending = executor;
            executor = null;
            shutdown(ending);
        }
    }

    private void shutdown(ExecutorService ending) {
        contender.shutdown(ending);
        Interruptions.ignoring(() -> {
            if (!ending.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                ending.shutdownNow();
            }
        });
    }
}
