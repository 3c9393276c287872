// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** N1 and N2: quantum and order of service. */
@Timeout(60)
class FairnessContractTest {
    private static final int QUANTUM = 32;

    /** A spindle of one worker, so that the order of service is observable. */
    private final Spindle one = Spindles.options().coreThreads(1).maxThreads(1).build();

    private final Keyed<Object> keys = one.keyed("keys");
    private final Gate gate = new Gate();
    private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        gate.open();
        one.close();
    }

    private void occupy() {
        one.execute(gate);
        gate.awaitEntered();
    }

    private Runnable logging(Object what) {
        return () -> log.add(what);
    }

    private void runAll() {
        CountDownLatch done = new CountDownLatch(1);
        gate.open();
        until(() -> one.stats().ready() == 0);
        one.execute(done::countDown);
        await(done);
    }

    /** Returns the turns: the log with successive repetitions of an entry merged. */
    private List<Object> turns() {
        List<Object> turns = new ArrayList<>();
        synchronized (log) {
            for (Object entry : log) {
                if (turns.isEmpty() || !turns.get(turns.size() - 1).equals(entry)) {
                    turns.add(entry);
                }
            }
        }
        return turns;
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void n1_laneWithShortTasks_yieldsAfterAQuantumOfTasks() {
        occupy();
        for (int i = 0; i < 4 * QUANTUM; i++) {
            keys.execute("a", logging("a"));
        }
        one.execute(logging("plain"));
        keys.execute("b", logging("b"));
        runAll();
        result(keys.at("a").quiesce());
        assertThat(log.indexOf("plain")).isBetween(1, QUANTUM);
        assertThat(log.indexOf("b")).isEqualTo(log.indexOf("plain") + 1);
        assertThat(log).hasSize(4 * QUANTUM + 2);
    }

    @Test
    void n1_laneWithLongTasks_yieldsAfterAQuantumOfTime() {
        occupy();
        for (int i = 0; i < 20; i++) {
            keys.execute("a", () -> {
                log.add("a");
                spin(1_000_000);
            });
        }
        one.execute(logging("plain"));
        runAll();
        assertThat(log.indexOf("plain")).isBetween(1, 3);
    }

    @Test
    void n1_twoLanesReady_takeTurns() {
        occupy();
        for (int i = 0; i < 4 * QUANTUM; i++) {
            keys.execute("a", logging("a"));
            keys.execute("b", logging("b"));
        }
        runAll();
        result(keys.at("a").quiesce());
        result(keys.at("b").quiesce());
        assertThat(turns()).hasSizeGreaterThanOrEqualTo(8).startsWith("a", "b", "a", "b", "a", "b", "a");
    }

    @Test
    void n1_nothingElseReady_laneGoesOnWithoutAHop() {
        try (Spindle four = Spindles.options().coreThreads(4).maxThreads(4).build()) {
            startWorkers(four, 4);
            Set<Thread> used = ConcurrentHashMap.newKeySet();
            Keyed<Integer> lanes = four.keyed("keys");
            lanes.at(1).pause();
            for (int i = 0; i < 50 * QUANTUM; i++) {
                lanes.execute(1, () -> used.add(Thread.currentThread()));
            }
            Future<?> done = lanes.at(1).quiesce(); // now, since later it might make the lane ready itself
            until(() -> four.stats().idleThreads() == 4);
            long wakeUps = four.stats().wakeUps();
            lanes.at(1).resume();
            result(done);
            assertThat(used).hasSize(1);
            assertThat(four.stats().wakeUps() - wakeUps).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void n2_plainTasksAndLanes_areServedInOneOrder() {
        occupy();
        List<Object> expected = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) { // more than a segment of the queue
            Object what = i;
            expected.add(what);
            if (i % 2 == 0) {
                one.execute(logging(what));
            } else {
                keys.execute(what, logging(what));
            }
        }
        runAll();
        assertThat(log).isEqualTo(expected);
    }

    @Test
    void n2_oldestReadyEntry_startsAfterAtMostTheEntriesAheadAndWorkersTurns() {
        occupy();
        int lanes = 50;
        for (int round = 0; round < 3 * QUANTUM; round++) {
            for (int key = 0; key < lanes; key++) {
                keys.execute(key, logging(key));
            }
        }
        keys.execute("last", logging("last"));
        runAll();
        int before = turns().indexOf("last");
        assertThat(before).isBetween(lanes, lanes + 1);
    }

    @Test
    void n2_severalWorkers_entryStartsAfterAtMostTheEntriesAheadAndWorkersTurns() {
        int workers = 2;
        int lanes = 40;
        for (int round = 0; round < 5; round++) {
            assertThat(turnsBeforeTheLast(lanes, workers)).isLessThanOrEqualTo(lanes + workers);
        }
    }

    /**
     * Runs lanes whose turns, one per worker, wait for one another until the last entry has run. Otherwise a worker
     * that loses its processor after it took the last entry would let the others go on counting.
     */
    private int turnsBeforeTheLast(int lanes, int workers) {
        AtomicInteger turns = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger(-1);
        CountDownLatch last = new CountDownLatch(1);
        try (Spindle several = Spindles.options()
                .coreThreads(workers)
                .maxThreads(workers)
                .growCoreAfter(0)
                .build()) {
            List<Gate> gates = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                Gate own = new Gate();
                gates.add(own);
                several.execute(own);
            }
            gates.forEach(Gate::awaitEntered);
            Keyed<Object> keys = several.keyed("keys");
            for (int key = 0; key < lanes; key++) {
                int[] run = {0}; // plain: ordered by the lane
                for (int i = 0; i < 3 * QUANTUM; i++) {
                    keys.execute(key, () -> {
                        if (run[0]++ % QUANTUM == 0) { // at most once per turn, which may be shorter
                            int turn = turns.incrementAndGet();
                            int all = (turn + workers - 1) / workers * workers;
                            until(() -> last.getCount() == 0 || turns.get() >= all);
                        }
                    });
                }
            }
            keys.execute("last", () -> {
                seen.set(turns.get());
                last.countDown();
            });
            gates.forEach(Gate::open);
            await(last);
        }
        return seen.get();
    }

    @Test
    void n2_floodOfPlainTasks_doesNotStarveALane() {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger flood = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            one.execute(new Runnable() {
                @Override
                public void run() {
                    flood.incrementAndGet();
                    if (!stop.get()) {
                        one.execute(this);
                    }
                }
            });
        }
        for (int i = 0; i < 50; i++) {
            int[] seen = new int[2];
            result(keys.submit("sync", () -> {
                seen[0] = flood.get();
                keys.execute("a", () -> seen[1] = flood.get()); // behind the 100 that are ready now
            }));
            result(keys.at("a").quiesce());
            assertThat(seen[1] - seen[0]).isLessThanOrEqualTo(101);
        }
        stop.set(true);
        result(one.submit(() -> {})); // running tasks have resubmitted before the executor closes
    }

    @Test
    void n2_floodedLane_doesNotStarveTheRest() {
        occupy();
        for (int i = 0; i < 50_000; i++) {
            keys.execute("flooded", logging("flooded"));
        }
        Set<Object> others = new LinkedHashSet<>();
        for (int key = 0; key < 20; key++) {
            others.add(key);
            keys.execute(key, logging(key));
        }
        one.execute(logging("plain"));
        gate.open();
        result(keys.at("flooded").quiesce());
        assertThat(log.indexOf("plain")).isLessThanOrEqualTo(QUANTUM + 20);
        assertThat(log.subList(log.indexOf(0), log.indexOf(0) + 20)).containsExactlyElementsOf(others);
    }

    @Test
    void n2_selfResubmittingLane_doesNotStarveTheRest() {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger own = new AtomicInteger();
        keys.execute("self", new Runnable() {
            @Override
            public void run() {
                own.incrementAndGet();
                if (!stop.get()) {
                    keys.execute("self", this);
                }
            }
        });
        for (int i = 0; i < 50; i++) {
            int[] seen = new int[2];
            result(keys.submit("self", () -> {
                seen[0] = own.get();
                one.execute(() -> seen[1] = own.get());
            }));
            result(one.submit(() -> {}));
            assertThat(seen[1] - seen[0]).isLessThanOrEqualTo(QUANTUM);
        }
        stop.set(true);
        result(one.submit(() -> {})); // running tasks have resubmitted before the executor closes
    }

    @Test
    void n2_selfResubmittingPlainTasks_doNotStarveEachOther() {
        AtomicBoolean stop = new AtomicBoolean();
        int[] runs = new int[5]; // plain: one worker
        occupy();
        for (int i = 0; i < runs.length; i++) {
            int number = i;
            one.execute(new Runnable() {
                @Override
                public void run() {
                    runs[number]++;
                    if (!stop.get()) {
                        one.execute(this);
                    }
                }
            });
        }
        gate.open();
        for (int i = 0; i < 100; i++) {
            result(one.submit(() -> {}));
        }
        stop.set(true);
        result(one.submit(() -> {}));
        for (int count : runs) {
            assertThat(count).isBetween(runs[0] - 1, runs[0] + 1);
        }
    }

    @Test
    void n2_laneThatYields_isServedAgainThoughPlainTasksKeepComing() {
        AtomicBoolean stop = new AtomicBoolean();
        one.execute(new Runnable() {
            @Override
            public void run() {
                if (!stop.get()) {
                    one.execute(this);
                }
            }
        });
        for (int i = 0; i < 1_000; i++) {
            keys.execute("a", () -> {});
        }
        result(keys.at("a").quiesce());
        stop.set(true);
        result(one.submit(() -> {})); // running tasks have resubmitted before the executor closes
    }

    private static void startWorkers(Spindle spindle, int workers) {
        List<Gate> gates = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            Gate gate = new Gate();
            gates.add(gate);
            spindle.execute(gate);
        }
        gates.forEach(Gate::awaitEntered);
        gates.forEach(Gate::open);
    }
}
