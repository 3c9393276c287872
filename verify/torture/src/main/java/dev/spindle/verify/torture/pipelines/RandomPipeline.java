// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.pipelines;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import dev.spindle.pipeline.Pipeline;
import dev.spindle.pipeline.PipelineBuilder;
import dev.spindle.verify.torture.pipelines.RandomGraph.Event;
import dev.spindle.verify.torture.pipelines.RandomGraph.Planned;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.RandomProgram;
import dev.spindle.verify.torture.tools.Spindles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a random pipeline from its start to its end. The seed determines everything except the scheduling of threads.
 * Each accepted event must be handled once and in order by each stage that it reaches, or be dropped by {@code halt}.
 * No stage may receive another event, and the program must end.
 */
public final class RandomPipeline extends RandomProgram {
    private static final int PER_PRODUCER = 1 << 20;
    private static final int MOST_EVENTS = 400;
    private static final int MOST_PRODUCERS = 4;
    private static final int VOID_IN = 11;
    private static final int SLOW_IN = 5;
    private static final int MOST_TOGETHER = 8;
    private static final long LOOK_NANOS = 50_000;

    /** The ways to end. */
    private enum End {
        DRAIN,
        HALT,
        SHUTDOWN,
        SHUTDOWN_NOW
    }

    /** The results of a publication. */
    private enum Outcome {
        ACCEPTED,
        VOID,
        REFUSED,
        LEFT, // not published: full, timed out, interrupted or cancelled
        OPEN
    }

    private final Random random;
    private final RandomGraph graph;
    private final int size;
    private final End end;
    private final boolean single;
    private final int workers;
    private final Pipeline<Event> pipeline;
    private final Spindle spindle;
    private final Queue<Integer> dropped = new ConcurrentLinkedQueue<>();
    private final List<Producer> producers = new ArrayList<>();
    private final AtomicInteger callbacks = new AtomicInteger();
    private final AtomicBoolean blocking = new AtomicBoolean();
    private volatile boolean ending;

    /** Creates the pipeline for a seed; {@link #run()} returns the number of accepted events. */
    public RandomPipeline(long seed) {
        random = new Random(seed);
        graph = new RandomGraph(random);
        size = 1 << random.nextInt(7);
        end = End.values()[random.nextInt(End.values().length)];
        single = random.nextInt(4) == 0;
        int publishers = single ? 1 : 1 + random.nextInt(MOST_PRODUCERS);
        workers = 1 + random.nextInt(3);
        spindle = Spindles.builder()
                .coreThreads(workers)
                .maxThreads(workers)
                .onFailure((activity, failure) -> {
                    if (!(failure instanceof Planned)) {
                        graph.error("the failure handler was told of " + failure);
                    }
                })
                .build();
        PipelineBuilder<Event> builder = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(size)
                .onDrop((event, stages) -> dropped.add(event.id));
        graph.addTo(builder);
        pipeline = (single ? builder.singlePublisher(true) : builder).build();
        for (int i = 0; i < publishers; i++) {
            producers.add(new Producer(i, random.nextLong()));
        }
    }

    static int producer(int id) {
        return id / PER_PRODUCER;
    }

    /** Publishes events in all ways. */
    private final class Producer extends Thread {
        private final int first;
        private final Random random;
        private final Map<Integer, Outcome> outcomes = new LinkedHashMap<>();
        private final Map<Integer, CompletableFuture<?>> later = new LinkedHashMap<>();
        private int calls; // the expected number of callbacks

        Producer(int number, long seed) {
            first = number * PER_PRODUCER;
            random = new Random(seed);
        }

        @Override
        public void run() {
            int count = random.nextInt(MOST_EVENTS);
            int id = first;
            while (id < first + count && !outcomes.containsValue(Outcome.REFUSED)) {
                int together = random.nextInt(6) == 0 ? 1 + random.nextInt(Math.min(size, MOST_TOGETHER)) : 1;
                List<Integer> ids = IntStream.range(id, id + together).boxed().toList();
                ids.forEach(one -> outcomes.put(one, Outcome.OPEN));
                if (together == 1) {
                    outcomes.put(id, publish(id));
                } else {
                    publishAll(ids);
                }
                id += together;
            }
        }

        /**
         * Publishes several events together. Either all events are published, or none, or those before the first event
         * whose filling fails.
         */
        private void publishAll(List<Integer> ids) {
            Outcome outcome;
            try {
                if (random.nextBoolean()) {
                    outcome = of(pipeline.offerAll(this::fill, ids));
                } else {
                    pipeline.publishAll(this::fill, ids);
                    outcome = Outcome.ACCEPTED;
                }
            } catch (InterruptedException e) {
                outcome = Outcome.LEFT;
            } catch (Throwable t) {
                outcome = of(t);
            }
            Outcome before = outcome == Outcome.VOID ? Outcome.ACCEPTED : outcome;
            boolean isVoid = false;
            for (int id : ids) {
                isVoid |= outcome == Outcome.VOID && id % VOID_IN == 0;
                outcomes.put(id, isVoid ? Outcome.VOID : before);
            }
        }

        private Outcome publish(int id) {
            try {
                switch (random.nextInt(6)) {
                    case 0 -> {
                        return of(pipeline.offer(event -> fill(event, id)));
                    }
                    case 1 -> {
                        return of(pipeline.offer(event -> fill(event, id), Duration.ofNanos(random.nextInt(100_000))));
                    }
                    case 2, 3 -> {
                        CompletableFuture<?> future =
                                pipeline.publishAsync(event -> fill(event, id)).toCompletableFuture();
                        later.put(id, future);
                        if (random.nextInt(3) == 0) {
                            calls++;
                            CompletableFuture<?> unused = future.whenComplete((nothing, failure) -> calledBack());
                        }
                        if (random.nextInt(4) == 0) {
                            future.cancel(true);
                        }
                        return Outcome.OPEN;
                    }
                    default -> pipeline.publish(this::fill, id);
                }
                return Outcome.ACCEPTED;
            } catch (InterruptedException e) {
                return Outcome.LEFT;
            } catch (Throwable t) {
                return of(t);
            }
        }

        private void fill(Event event, int id) {
            graph.fill(event, id);
            if (id % SLOW_IN == 0) {
                Thread.yield(); // a drain or halt may race with the publication
            }
            if (id % VOID_IN == 0) {
                event.id = RandomGraph.NOTHING;
                throw new Planned();
            }
        }

        private Outcome of(boolean published) {
            return published ? Outcome.ACCEPTED : Outcome.LEFT;
        }

        private Outcome of(@Nullable Throwable failure) {
            if (failure instanceof ClosedException) {
                return Outcome.REFUSED;
            }
            if (failure instanceof CancellationException) {
                return Outcome.LEFT;
            }
            if (!(failure instanceof Planned)) {
                graph.error("a publisher was told of " + failure);
            }
            return Outcome.VOID;
        }

        private void settle() throws Exception {
            for (Map.Entry<Integer, CompletableFuture<?>> one : later.entrySet()) {
                outcomes.put(one.getKey(), outcome(one.getValue()));
            }
        }

        private Outcome outcome(CompletableFuture<?> future) throws Exception {
            try {
                future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                return Outcome.ACCEPTED;
            } catch (ExecutionException | CompletionException e) {
                return of(e.getCause());
            } catch (CancellationException e) {
                return Outcome.LEFT;
            }
        }
    }

    /**
     * Publishes an event whose filling fails. On a worker, the callback may then block, at most one at a time, until
     * the pipeline has advanced, all producers have ended, or the shutdown has begun. A future that is already complete
     * runs its callback on the producer's thread, which must not block.
     */
    private void calledBack() {
        callbacks.incrementAndGet();
        try {
            boolean unused = !single
                    && pipeline.offer(event -> {
                        throw new Planned();
                    });
        } catch (Planned | ClosedException e) {
            // The filling failed deliberately, or the pipeline is closed.
        }
        if (workers > 1 && !(Thread.currentThread() instanceof Producer) && blocking.compareAndSet(false, true)) {
            long before = graph.moves();
            long begin = System.nanoTime();
            while (!ending && graph.moves() == before && producers.stream().anyMatch(Thread::isAlive)) {
                Pause.whole(LOOK_NANOS);
                if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS / 2)) {
                    graph.error("a callback that blocks holds up the pipeline");
                    break;
                }
            }
            blocking.set(false);
        }
    }

    @Override
    protected int run() throws Exception {
        producers.forEach(Thread::start);
        for (int i = random.nextInt(100); i > 0; i--) {
            for (int spins = random.nextInt(2_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            if (random.nextInt(4) == 0) {
                producers.get(random.nextInt(producers.size())).interrupt();
            }
        }
        try {
            if (random.nextInt(3) == 0) {
                join();
            }
            ending = true;
            end();
            join();
        } catch (TimeoutException e) {
            throw new AssertionError("has not ended: " + pipeline + " with " + graph.errors(Set.of(), Set.of()), e);
        }
        for (Producer producer : producers) {
            producer.settle();
        }
        shutDown(spindle);
        int calls = producers.stream().mapToInt(producer -> producer.calls).sum();
        if (callbacks.get() != calls) {
            graph.error(calls + " publishers asked to be called back, and " + callbacks + " were");
        }
        return check();
    }

    private void end() throws Exception {
        switch (end) {
            case DRAIN -> pipeline.drain().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            case HALT -> pipeline.halt().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            case SHUTDOWN, SHUTDOWN_NOW -> {
                if (end == End.SHUTDOWN) {
                    spindle.shutdown();
                } else {
                    spindle.shutdownNow();
                }
                join(); // the producers end without a halt
                pipeline.halt().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private void join() throws InterruptedException, TimeoutException {
        for (Producer producer : producers) {
            producer.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            if (producer.isAlive()) {
                throw new TimeoutException("a producer waits without end");
            }
        }
    }

    private int check() {
        Set<Integer> accepted = new HashSet<>();
        for (Producer producer : producers) {
            producer.outcomes.forEach((id, outcome) -> {
                if (outcome == Outcome.ACCEPTED) {
                    accepted.add(id);
                } else if (outcome == Outcome.OPEN) {
                    graph.error("no publisher was told the end of event " + id);
                }
            });
        }
        Set<Integer> left = new HashSet<>();
        for (int id : dropped) {
            if (!left.add(id) || !accepted.contains(id) || end == End.DRAIN) {
                graph.error("should not have been dropped: event " + id);
            }
        }
        Set<Integer> complete = new HashSet<>(accepted);
        complete.removeAll(left);
        requireSound(graph.errors(complete, accepted));
        return accepted.size();
    }

    @Override
    protected void release() {
        List<Runnable> unused = spindle.shutdownNow();
    }

    @Override
    public String toString() {
        return end + " of a ring of " + size + ", " + workers + " workers, " + producers.size() + " producers, single "
                + single + ", dropped " + dropped.size() + ", " + pipeline + ", stages: " + graph;
    }
}
