// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An executor of one place: its tasks run one at a time, in order, and each sees the writes of the earlier ones. */
abstract class SerialContract extends Contract<Executor> {
    private static final int PRODUCERS = 3;
    private static final int EACH = 500;

    /** Plain on purpose: the executor orders the accesses. */
    private final List<Integer> ran = new ArrayList<>();

    private int inside;
    private int overlaps;

    SerialContract(Subject<? extends Executor> subject) {
        super(subject);
        if (subject.concurrency() != 1) {
            throw new IllegalArgumentException(subject + " has " + subject.concurrency() + " places");
        }
    }

    private void run(int task) {
        overlaps += inside++;
        ran.add(task);
        inside--;
    }

    /** Waits until all submitted tasks have run. */
    private void drain() throws InterruptedException {
        CountDownLatch last = new CountDownLatch(1);
        executor.execute(last::countDown);
        await(last);
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().collect(Collectors.toList());
    }

    @Test
    void execute_tasksOfOneThread_runInOrderOneAtATime() throws Exception {
        List<Gate> place = occupy();
        for (int i = 0; i < EACH; i++) {
            int task = i;
            executor.execute(() -> run(task));
            if (i == EACH / 2) {
                open(place); // half of the tasks wait, and the others come while these run
            }
        }
        drain();

        assertThat(ran).isEqualTo(upTo(EACH));
        assertThat(overlaps).isZero();
    }

    @Test
    void execute_whileATaskRuns_nothingElseStarts() throws Exception {
        List<Gate> place = occupy();
        Gate next = gate();
        executor.execute(next);
        executor.execute(() -> run(0));

        open(place);
        await(next.entered());
        assertThat(ran).isEmpty();
        next.open();
        drain();
        assertThat(ran).containsExactly(0);
    }

    @Test
    void execute_tasksOfManyThreads_keepTheOrderOfEach() throws Exception {
        List<Gate> place = occupy();
        List<Caller<Integer>> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            producers.add(call(() -> {
                for (int i = 0; i < EACH; i++) {
                    int task = i * PRODUCERS + producer;
                    executor.execute(() -> run(task));
                    if (task == EACH / 2 * PRODUCERS) {
                        open(place);
                    }
                }
                return producer;
            }));
        }
        for (Caller<Integer> producer : producers) {
            result(producer);
        }
        drain();

        assertThat(ran).hasSize(PRODUCERS * EACH);
        assertThat(overlaps).isZero();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            assertThat(ran.stream().filter(task -> task % PRODUCERS == producer).map(task -> task / PRODUCERS))
                    .containsExactlyElementsOf(upTo(EACH));
        }
    }

    @Test
    void execute_byATaskOfItsOwn_runsAfterItAndNotInside() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        executor.execute(() -> {
            executor.execute(() -> {
                run(1);
                both.countDown();
            });
            run(0);
            both.countDown();
        });

        await(both);
        drain();
        assertThat(ran).containsExactly(0, 1);
    }

    @Test
    void execute_tasksThatThrow_keepTheOrderOfTheOthers() throws Exception {
        unless(Trait.FAILED_TASKS_LET_NEW_ONES_OVERTAKE);
        for (int i = 0; i < 50; i++) {
            int task = i;
            executor.execute(() -> run(task));
            executor.execute(Tasks.throwingRunnable(new AssertionError("expected")));
        }
        drain();

        assertThat(ran).isEqualTo(upTo(50));
    }
}
