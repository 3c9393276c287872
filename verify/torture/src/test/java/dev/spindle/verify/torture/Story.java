// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.Program.How;
import dev.spindle.verify.torture.Program.Policy;
import dev.spindle.verify.torture.Program.Pool;
import dev.spindle.verify.torture.Program.Producer;
import dev.spindle.verify.torture.Program.Stop;
import dev.spindle.verify.torture.Program.View;
import dev.spindle.verify.torture.tools.Threads;
import java.util.Arrays;
import java.util.List;

/** Writes the log of a correct executor, which a test then spoils. Each producer takes its steps once. */
final class Story {
    static final Stop CLOSE = new Stop(Where.POOL, 0, How.CLOSE, 100);

    final Program program;
    final Log log;
    private final Layout layout;
    private final int[] lanes = new int[3];
    private final int[] views = new int[2];

    private Story(Program program) {
        this.program = program;
        layout = new Layout(program);
        log = new Log(layout.tasks(), program.pool().exact());
        log.peakThreads = 1;
    }

    /** One producer, no common clock. */
    static Story of(Step... steps) {
        return new Story(new Program(1, pool(false), List.of(new Producer(1, List.of(steps))), List.of(CLOSE)));
    }

    /** One producer, no common clock, another pool. */
    static Story of(Pool pool, Step... steps) {
        return new Story(of(steps).program.with(pool));
    }

    /** One producer, no common clock, the strand with a thread of its own, and another stop of the pool. */
    static Story stopped(Program.How how, Step... steps) {
        Program program = of(steps).program;
        Pool shared = program.pool();
        Pool own = new Pool(
                shared.core(),
                shared.max(),
                shared.keepAlive(),
                shared.linger(),
                shared.capacity(),
                shared.capacityPerKey(),
                shared.onFull(),
                shared.keys(),
                shared.strands(),
                shared.strands(),
                shared.views(),
                shared.exact(),
                shared.threads());
        List<Program.Stop> stops = List.of(new Program.Stop(Where.POOL, 0, how, 100));
        return new Story(new Program(1, own, program.producers(), stops));
    }

    /** With a common clock, one producer for each step. */
    static Story exact(Step... steps) {
        List<Producer> producers =
                Arrays.stream(steps).map(step -> new Producer(1, List.of(step))).toList();
        return new Story(new Program(1, pool(true), producers, List.of(CLOSE)));
    }

    /** As {@link #exact}, with a pool of this capacity. */
    static Story bounded(int capacity, Step... steps) {
        Story whole = exact(steps);
        return new Story(whole.program.with(pool(true, capacity)));
    }

    private static Pool pool(boolean exact) {
        return pool(exact, 0);
    }

    /** Two threads, two keys, a strand, a logical executor of one task and one of three. */
    private static Pool pool(boolean exact, int capacity) {
        return new Pool(
                1,
                2,
                1_000_000,
                1_000_000,
                capacity,
                0,
                Policy.REJECT,
                2,
                1,
                0,
                List.of(new View(1, 0, Policy.REJECT), new View(3, 0, Policy.REJECT)),
                exact,
                Threads.Kind.SOUND);
    }

    static Step lane(Op op) {
        return Step.of(op, 0);
    }

    Story accept(int... tasks) {
        for (int task : tasks) {
            log.calls(task);
            log.accepted(task, false);
        }
        return this;
    }

    Story run(int... tasks) {
        for (int task : tasks) {
            begin(task);
            end(task);
        }
        return this;
    }

    Story begin(int task) {
        log.begins(task);
        Step step = step(task);
        if (step.op().where() == Where.LANE) {
            log.position[task] = ++lanes[step.at()];
        } else if (step.op().where() == Where.VIEW && step.at() == 0) {
            log.position[task] = ++views[0];
        }
        return this;
    }

    Story end(int task) {
        log.ends(task);
        Step step = step(task);
        boolean throwing = step.does().isThrowing();
        if (step.op().hasFuture() || step.op().isCoalescing()) {
            log.outcome[task] = throwing ? Log.Outcome.FAILED : Log.Outcome.DONE;
        }
        if (throwing && !step.op().hasFuture()) {
            log.handled[task]++;
        }
        return this;
    }

    Story supersede(int task) {
        log.outcome[task] = Log.Outcome.SUPERSEDED;
        return this;
    }

    /** Returns a task by its number. */
    Job job(int task) {
        Run run = new Run(program, lane -> lane);
        run.close();
        return Job.of(run, layout.act(task), 0, 0, Place.serial(), false);
    }

    private Step step(int task) {
        return layout.act(task).step();
    }

    Violations violations() {
        return Checker.check(program, log);
    }
}
