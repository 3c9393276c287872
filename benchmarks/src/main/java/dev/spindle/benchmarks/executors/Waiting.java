// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.ThreadCosts;
import dev.spindle.benchmarks.compare.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Loads whose tasks block their threads. */
final class Waiting {
    static final Figure FIRST_ROUND = Figure.less("first_round_ms", "first round, ms");
    static final Figure SECOND_ROUND = Figure.less("second_round_ms", "second round, ms");
    /**
     * The mean number of swings per phase. In a swing, the number of awake workers rises and then falls, each by more
     * than 2 plus a fifth of the number. The first second of a phase is omitted. The numbers are medians of 200 ms,
     * because a worker may be idle for a short time.
     */
    static final Figure SWINGS = Figure.less("swings_per_phase", "swings per phase");

    static final Figure MEAN_RATE = Figure.more("mean_rate", "tasks/s, geometric mean of the phases");

    private static final int OUTSTANDING = 64;
    private static final int SETTLE_MILLIS = 500;
    private static final int COUNT_MILLIS = 1_000;
    private static final int LIMIT_SECONDS = 30;
    private static final int PHASES = 12;
    private static final int PHASE_MILLIS = 5_000;
    private static final int SAMPLE_MILLIS = 20;
    private static final int SAMPLES_OF_A_MEDIAN = 10;

    private Waiting() {}

    /**
     * Runs tasks that block, on a new executor, and then the same number of tasks again.
     *
     * @param sockets true if the tasks block in a socket read, during which the JVM reports the thread as runnable;
     *         false if the tasks sleep
     */
    static Load rounds(int threads, int tasks, int millis, boolean sockets) {
        return new Load(threads, tasks, List.of(FIRST_ROUND, SECOND_ROUND), stage -> {
                    int count = stage.scaled(tasks, threads);
                    if (sockets) {
                        try (LateServer server = new LateServer(count, millis)) {
                            rounds(stage, count, server::call);
                        }
                    } else {
                        rounds(stage, count, () -> Waits.sleepMillis(millis));
                    }
                })
                .withLimit(threads)
                .onFreshExecutors()
                .withEffort(Effort.millis(300, 1_000, 250).atMost(200));
    }

    private static void rounds(Stage stage, int count, Runnable wait) throws InterruptedException {
        for (Figure round : List.of(FIRST_ROUND, SECOND_ROUND)) {
            Tally tally = stage.tally(count);
            stage.recorder().begin();
            // The rounds differ by milliseconds only. With a task time of 0, the waiting thread polls as often as
            // possible.
            stage.run(tally, tally.tasks(wait), 0, task -> {
                for (int index = 0; index < count; index++) {
                    stage.executor().execute(task.apply(index));
                }
            });
            stage.recorder().value(round, stage.recorder().end(count) / 1e6);
        }
    }

    /**
     * Keeps a new pool supplied with tasks. The pool has half a second to adapt its size; the tasks that end in the
     * next second are counted.
     *
     * @param task creates the work of the tasks
     */
    static Load steady(Supplier<Runnable> task) {
        return load(stage -> supply(stage, task.get()));
    }

    /** Returns the load of {@link #steady} with tasks that block in a socket read. */
    static Load sockets(int millis) {
        return load(stage -> {
            try (LateServer server = new LateServer(OUTSTANDING, millis)) {
                supply(stage, server::call);
            }
        });
    }

    private static Load load(Load.Pass pass) {
        Duration time = Duration.ofMillis(SETTLE_MILLIS + COUNT_MILLIS);
        return new Load(OUTSTANDING, OUTSTANDING, List.of(Load.RATE, Load.PER_CPU_SECOND), pass)
                .withLimit(0)
                .onFreshExecutors()
                .withEffort(new Effort(time, time, time, 1));
    }

    static void sleep(double micros) {
        LockSupport.parkNanos((long) (micros * 1_000));
    }

    private static void supply(Stage stage, Runnable body) throws InterruptedException {
        Supply supply = new Supply(stage);
        Runnable task = supply.counted(body);
        supply.submitFor(SETTLE_MILLIS, index -> task);
        Recorder recorder = stage.recorder();
        recorder.begin();
        ThreadCosts earlier = ThreadCosts.before();
        long before = supply.ended();
        supply.submitFor(COUNT_MILLIS, index -> task);
        long ran = supply.ended() - before;
        double cpu = recorder.contenderSince(earlier).cpuNanos();
        recorder.value(Load.RATE, ran * 1e9 / recorder.end(ran));
        recorder.value(Load.PER_CPU_SECOND, ran * 1e9 / Math.max(1, cpu));
        supply.awaitLast();
    }

    /** Keeps an executor supplied with tasks, and counts the tasks that end. */
    private static final class Supply {
        private final Stage stage;
        private final Executor executor;
        private final Semaphore places = new Semaphore(OUTSTANDING);
        private final LongAdder ended = new LongAdder();

        Supply(Stage stage) {
            this.stage = stage;
            executor = stage.executor() instanceof Spindle spindle
                    ? ElasticComparison.face(stage.contender(), spindle)
                    : stage.executor();
        }

        Runnable counted(Runnable body) {
            return () -> {
                body.run();
                ended.increment();
                places.release();
            };
        }

        void submitFor(int millis, IntFunction<Runnable> tasks) throws InterruptedException {
            long end = System.nanoTime() + stage.scaled(millis, 20) * 1_000_000L;
            for (int index = 0; System.nanoTime() - end < 0; index++) {
                acquire(1);
                executor.execute(tasks.apply(index));
            }
        }

        long ended() {
            return ended.sum();
        }

        void awaitLast() throws InterruptedException {
            acquire(OUTSTANDING);
        }

        private void acquire(int count) throws InterruptedException {
            if (!places.tryAcquire(count, LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new StalledException("no place for " + count + " tasks came free in " + LIMIT_SECONDS + " s");
            }
        }
    }

    /**
     * The load changes every five seconds for a minute. In turn, all tasks compute, all tasks sleep, and one of ten
     * tasks sleeps.
     */
    static Load changing() {
        return new Load(OUTSTANDING, OUTSTANDING, List.of(MEAN_RATE, SWINGS, Load.PER_CPU_SECOND), Waiting::changing)
                .withLimit(0)
                .withEffort(Effort.once(Duration.ZERO, Duration.ofMillis((long) PHASES * PHASE_MILLIS)));
    }

    private static void changing(Stage stage) throws InterruptedException {
        Supply supply = new Supply(stage);
        Runnable compute = supply.counted(Burn.task(10));
        Runnable wait = supply.counted(() -> sleep(1_000));
        Awake awake = new Awake(stage);
        Recorder recorder = stage.recorder();
        recorder.begin();
        ThreadCosts earlier = ThreadCosts.before();
        double logarithms = 0;
        double swings = 0;
        for (int phase = 0; phase < PHASES; phase++) {
            awake.begin();
            long before = supply.ended();
            long begin = System.nanoTime();
            int kind = phase % 3;
            supply.submitFor(PHASE_MILLIS, index -> kind == 1 || (kind == 2 && index % 10 == 0) ? wait : compute);
            logarithms += Math.log(Math.max(1, supply.ended() - before) * 1e9 / (System.nanoTime() - begin));
            swings += awake.endAndCountSwings();
        }
        double cpu = recorder.contenderSince(earlier).cpuNanos();
        recorder.end(supply.ended());
        recorder.value(MEAN_RATE, Math.exp(logarithms / PHASES));
        recorder.value(Load.PER_CPU_SECOND, supply.ended() * 1e9 / Math.max(1, cpu));
        recorder.value(SWINGS, swings / PHASES);
        supply.awaitLast();
    }

    /** Samples the number of awake workers of a Spindle; other executors have no samples. */
    private static final class Awake {
        private final Stage stage;
        private List<Integer> samples = List.of();
        private Thread thread = new Thread();

        Awake(Stage stage) {
            this.stage = stage;
        }

        void begin() {
            List<Integer> own = new ArrayList<>();
            samples = own;
            if (stage.executor() instanceof Spindle spindle) {
                thread = Waits.start(
                        "awake",
                        () -> Waits.ignoring(() -> {
                            while (true) {
                                SpindleStats stats = spindle.stats();
                                own.add(stats.threads() - stats.idleThreads());
                                Thread.sleep(SAMPLE_MILLIS);
                            }
                        }));
            }
        }

        int endAndCountSwings() {
            thread.interrupt();
            Waits.ignoring(thread::join);
            int[] settled = samples.stream()
                    .skip(1_000 / SAMPLE_MILLIS)
                    .mapToInt(Integer::intValue)
                    .toArray();
            return swings(IntStream.range(0, settled.length / SAMPLES_OF_A_MEDIAN)
                    .map(i -> median(settled, i * SAMPLES_OF_A_MEDIAN))
                    .toArray());
        }

        private static int median(int[] values, int from) {
            int[] some = Arrays.copyOfRange(values, from, from + SAMPLES_OF_A_MEDIAN);
            Arrays.sort(some);
            return some[SAMPLES_OF_A_MEDIAN / 2];
        }

        private static int swings(int[] values) {
            int swings = 0;
            int low = Integer.MAX_VALUE;
            int high = -1; // the highest number since the last low, or -1 while the number falls
            for (int value : values) {
                if (high < 0) {
                    low = Math.min(low, value);
                    high = value > low + margin(low) ? value : -1;
                } else if (value > high) {
                    high = value;
                } else if (value < high - margin(high)) {
                    swings++;
                    low = value;
                    high = -1;
                }
            }
            return swings;
        }

        private static int margin(int value) {
            return 2 + value / 5;
        }
    }

    /**
     * A server in this process that answers each call after a fixed time; one timer thread sends all answers. The
     * caller blocks in a read of its socket. The request is passed in memory, because the cost of a call is not
     * measured.
     */
    static final class LateServer implements AutoCloseable {
        private final int millis;
        private final Queue<Connection> free = new ConcurrentLinkedQueue<>();
        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

        private record Connection(SocketChannel client, SocketChannel server) {
            void answer() {
                try {
                    server.write(ByteBuffer.allocate(1));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        LateServer(int connections, int millis) {
            this.millis = millis;
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                for (int i = 0; i < connections; i++) {
                    SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    free.add(new Connection(client, listener.accept()));
                }
            } catch (IOException e) {
                close();
                throw new UncheckedIOException("no " + connections + " connections to this machine itself", e);
            }
        }

        void call() {
            Connection connection = free.remove();
            var unused = timer.schedule(connection::answer, millis, TimeUnit.MILLISECONDS);
            try {
                if (connection.client.read(ByteBuffer.allocate(1)) != 1) {
                    throw new IllegalStateException("the server closed a connection without an answer");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            free.add(connection);
        }

        /** Closes the connections; called while no call is in progress. */
        @Override
        public void close() {
            timer.shutdownNow();
            for (Connection connection : free) {
                try {
                    connection.client.close();
                    connection.server.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
