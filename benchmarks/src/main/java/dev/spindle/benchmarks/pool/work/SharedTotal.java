// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.Random;

/**
 * Many users of one pool, all busy: every second task goes to one of the executors, the others to keys, of which a few
 * are hot. What does all that cost beside the same tasks on a plain pool?
 *
 * @param limit how many tasks of an executor may run at once
 */
public record SharedTotal(int threads, int executors, int limit, int keys, double micros) implements Workload {
    private static final int TASKS = 200_000;
    private static final int LEAST = 500;
    private static final int MOST_OUTSTANDING = 4_096;
    private static final long SEED = 32;

    @Override
    public int outstanding() {
        return MOST_OUTSTANDING;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.RATE);
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public Effort effort() {
        return Workload.effort(2_500, 1_000, 300);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled(TASKS, LEAST);
        Tally tally = stage.tally(count);
        Runnable burn = stage.burn(micros);
        int[] users = users(count);
        Recorder recorder = stage.recorder();
        if (stage.limit()) {
            recorder.begin();
            stage.plain().run(count, index -> {
                burn.run();
                tally.ran(index);
            });
            recorder.value(Figures.RATE, count * 1e9 / recorder.end(count));
            return;
        }
        Arrangement arrangement = new Arrangement(stage.contender(), stage.executor(), executors, limit, keys);
        int[] submitted = new int[keys];
        int[] ran = new int[keys];
        recorder.begin();
        for (int index = 0; index < count; index++) {
            if (index % (MOST_OUTSTANDING / 4) == 0) {
                tally.awaitDone(index - MOST_OUTSTANDING * 3 / 4, micros);
            }
            int own = index;
            int user = users[index];
            if (index % 2 == 0) {
                arrangement.executor(user).execute(() -> {
                    burn.run();
                    tally.ran(own);
                });
            } else {
                int turn = submitted[user]++;
                arrangement.key(user).execute(() -> {
                    // A plain array: whoever loses an update between two tasks of a key shows it here.
                    if (arrangement.ordered() && ran[user]++ != turn) {
                        tally.ranOutOfOrder();
                    }
                    burn.run();
                    tally.ran(own);
                });
            }
        }
        tally.await(micros);
        recorder.value(Figures.RATE, count * 1e9 / recorder.end(count));
    }

    /** An executor for each even place, a key for each odd one; a tenth of the keys gets about half of their tasks. */
    private int[] users(int count) {
        Random random = new Random(SEED);
        int[] users = new int[count];
        for (int index = 0; index < count; index++) {
            double point = random.nextDouble();
            users[index] = index % 2 == 0 ? (int) (point * executors) : (int) (Math.pow(point, 3) * keys);
        }
        return users;
    }
}
