// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * K2 to K4, K7, K8 and L1 to L3 together: lanes are constantly created and retired while producers use every entry
 * point. Each task must have exactly one outcome, run in order and without overlap, and see the writes of earlier
 * turns.
 */
@Tag("stress")
@Timeout(60)
class LaneStressTest {
    /** To replay a failure, put the seed that it names first. The interleaving still depends on the machine. */
    private static final long[] SEEDS = {20_260_101, 7};

    private static final long NANOS_PER_SEED = TimeUnit.MILLISECONDS.toNanos(1_400);
    private static final int MOST_TASKS = 450_000;
    private static final int PRODUCERS = 3;
    private static final int KEYS = 12;

    static LongStream seeds() {
        return LongStream.concat(Arrays.stream(SEEDS), LongStream.of(System.nanoTime()));
    }

    /** A key that collides with all others; each use creates a new object. */
    private record Key(int id) {
        @Override
        public int hashCode() {
            return 7;
        }
    }

    /** The state that the turns of one lane write with plain accesses. */
    private static final class LaneState {
        private boolean inTurn;
        private long runs;
        private final int[] lastSequential = new int[PRODUCERS];
        private final int[] lastCoalesced = new int[PRODUCERS];
        private final int[] lastOfSlot = new int[PRODUCERS];
    }

    /** The kind of order in which a task must run. */
    private enum Order {
        SEQUENTIAL,
        COALESCED,
        SLOT,
        NONE
    }

    private final class Task implements Runnable {
        private final LaneState lane;
        private final int producer;
        private final int number;
        private final Order order;
        private final AtomicInteger withdrawn = new AtomicInteger();
        private int runs; // written by the lane's turns
        private @Nullable CompletableFuture<Boolean> handle; // written by the producer, as the next field
        private boolean cancelled;

        Task(LaneState lane, int producer, int number, Order order) {
            this.lane = lane;
            this.producer = producer;
            this.number = number;
            this.order = order;
        }

        @Override
        public void run() {
            begin();
            end();
        }

        void begin() {
            if (lane.inTurn) {
                problem("overlap");
            }
            lane.inTurn = true;
            lane.runs++;
            if (runs++ != 0) {
                problem("second run");
            }
            int[] last = switch (order) {
                case SEQUENTIAL -> lane.lastSequential;
                case COALESCED -> lane.lastCoalesced;
                case SLOT -> lane.lastOfSlot;
                case NONE -> null;
            };
            if (last != null) {
                if (last[producer] >= number) {
                    problem("runs after " + last[producer]);
                }
                last[producer] = number;
            }
        }

        void end() {
            lane.inTurn = false;
        }

        private void problem(String what) {
            problems.add(what + ": task " + number + " of producer " + producer + ", " + order);
        }
    }

    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> returned = new ConcurrentLinkedQueue<>();
    private final LaneState[] lanes = new LaneState[KEYS];

    @ParameterizedTest
    @MethodSource("seeds")
    void k2_k3_k4_lanesComeAndGoUnderAllEntryPoints_everyTaskHasOneOutcomeInOrder(long seed) throws Exception {
        System.out.println("LaneStressTest seed " + seed);
        Arrays.setAll(lanes, k -> new LaneState());
        Spindle spindle = Spindle.builder()
                .coreThreads(2)
                .maxThreads(4)
                .keyKeepAlive(Duration.ofNanos(1))
                .onFailure((activity, failure) -> problems.add("failed: " + failure))
                .build();
        List<Producer> producers = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(seed);
        for (int p = 0; p < PRODUCERS; p++) {
            producers.add(new Producer(spindle, p, random.split()));
        }
        producers.forEach(Thread::start);
        for (Producer producer : producers) {
            producer.join();
        }
        for (int key = 0; key < KEYS; key++) {
            result(spindle.<Key>keyed("tasks").at(new Key(key)).quiesce());
        }
        until(() -> spindle.stats().keys() == 0); // all delayed tasks have run, all lanes are retired
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

        IdentityHashMap<Object, Task> asyncTasks = new IdentityHashMap<>();
        producers.forEach(p -> asyncTasks.putAll(p.asyncTasks));
        for (Runnable r : returned) {
            Task task = r instanceof Task t ? t : asyncTasks.get(r);
            if (task == null || task.withdrawn.incrementAndGet() != 1) {
                problems.add("returned twice, or not a task: " + r);
            }
        }
        long runs = 0;
        for (Producer producer : producers) {
            for (Task task : producer.tasks) {
                boolean superseded = TestSupport.isSuperseded(task.handle);
                int outcomes = task.runs + task.withdrawn.get() + (superseded ? 1 : 0);
                if (task.cancelled && outcomes == 0) { // cancel is also true for a task that runs or was handed back
                    outcomes = 1;
                }
                if (outcomes != 1) {
                    problems.add("outcomes " + outcomes + ": task " + task.number + ", " + task.order + ", runs "
                            + task.runs + ", returned " + task.withdrawn + ", "
                            + task.handle);
                }
                runs += task.runs;
            }
        }
        assertThat(problems).as("seed " + seed).isEmpty();
        assertThat(Arrays.stream(lanes).mapToLong(l -> l.runs).sum()).isEqualTo(runs);
        assertThat(spindle.stats().failed()).isZero();
    }

    private final class Producer extends Thread {
        private final Spindle spindle;
        private final Keyed<Key> keys;
        private final int producer;
        private final SplittableRandom random;
        private final Lane[] handles = new Lane[KEYS];
        private final int[] pauses = new int[KEYS];
        private final List<Task> tasks = new ArrayList<>();
        private final IdentityHashMap<Object, Task> asyncTasks = new IdentityHashMap<>();

        Producer(Spindle spindle, int producer, SplittableRandom random) {
            this.spindle = spindle;
            this.producer = producer;
            this.random = random;
            keys = spindle.keyed("tasks");
            Arrays.setAll(handles, k -> keys.at(new Key(k)));
        }

        @Override
        public void run() {
            try {
                long end = System.nanoTime() + NANOS_PER_SEED;
                while (System.nanoTime() - end < 0 && tasks.size() < MOST_TASKS / PRODUCERS) {
                    int key = random.nextInt(KEYS);
                    for (int burst = random.nextInt(6); burst >= 0; burst--) {
                        step(key);
                    }
                    if (random.nextInt(8) == 0) {
                        Thread.yield(); // lets lanes become idle and retire
                    }
                }
                for (int key = 0; key < KEYS; key++) {
                    for (; pauses[key] > 0; pauses[key]--) {
                        keys.at(new Key(key)).resume();
                    }
                }
            } catch (Throwable t) {
                problems.add("producer failed: " + t);
            }
        }

        private Task task(int key, Order order) {
            Task task = new Task(lanes[key], producer, tasks.size() + 1, order);
            tasks.add(task);
            return task;
        }

        private void step(int k) {
            Key key = new Key(k);
            switch (random.nextInt(20)) {
                case 0, 1, 2 -> keys.execute(key, task(k, Order.SEQUENTIAL));
                case 3, 4 -> handles[k].execute(task(k, Order.SEQUENTIAL));
                case 5 -> keys.submit(key, task(k, Order.SEQUENTIAL)).isDone();
                case 6 -> handles[k].submit(task(k, Order.SEQUENTIAL)).isDone();
                case 7 -> spindle.execute(sequential(key, task(k, Order.SEQUENTIAL)));
                case 8, 9 -> {
                    Task task = task(k, Order.COALESCED);
                    task.handle = keys.coalesce(key, task);
                }
                case 10 -> {
                    Task task = task(k, Order.SLOT);
                    task.handle = handles[k].coalesceSlot("slot", task);
                }
                case 11 -> {
                    Task task = task(k, Order.COALESCED);
                    CompletableFuture<Boolean> handle = handles[k].coalesce(task);
                    task.handle = handle;
                    task.cancelled = random.nextBoolean() && handle.cancel(false);
                }
                case 12, 13 -> async(k);
                case 14 ->
                    keys.at(key)
                            .schedule(task(k, Order.NONE), random.nextInt(100_000), TimeUnit.NANOSECONDS)
                            .isDone();
                case 15 -> {
                    keys.at(key).pause();
                    pauses[k]++;
                }
                case 16, 17 -> {
                    if (pauses[k] > 0) {
                        pauses[k]--;
                        keys.at(key).resume();
                    }
                }
                case 18 -> {
                    if (random.nextInt(4) == 0) {
                        returned.addAll(keys.at(key).cancelPending());
                    }
                }
                default -> spindle.execute(() -> {});
            }
        }

        /** A turn that ends on another thread. */
        private void async(int k) {
            Task task = task(k, Order.SEQUENTIAL);
            boolean late = random.nextBoolean();
            CompletableFuture<String> future = handles[k].submitAsync(() -> {
                CompletableFuture<String> stage = new CompletableFuture<>();
                task.begin();
                Runnable finish = () -> {
                    task.end();
                    stage.complete("");
                };
                if (late) {
                    spindle.execute(finish);
                } else {
                    finish.run();
                }
                return stage;
            });
            asyncTasks.put(future, task);
        }

        private SequentialTask sequential(Key key, Task task) {
            // Not a Task itself: cancelPending returns the submitted object.
            class Sequential implements SequentialTask {
                @Override
                public Object key() {
                    return key;
                }

                @Override
                public void run() {
                    task.run();
                }
            }
            Sequential handedIn = new Sequential();
            asyncTasks.put(handedIn, task);
            return handedIn;
        }
    }
}
