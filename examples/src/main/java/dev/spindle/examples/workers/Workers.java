// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.workers;

import dev.spindle.Spindle;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.actor.Supervision;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A foreman gives each worker one job at a time. Some jobs make the worker fail. A new instance replaces the worker
 * after a back-off, and the next job waits in the mailbox. The foreman gives the lost job to the next free worker.
 */
final class Workers {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final int workers;
    private final int jobs;
    private final int breakEvery;
    private final AtomicInteger instances = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private int done; // written by the foreman, and read after its end
    private int twice;

    /**
     * @param workers the number of workers
     * @param jobs the number of jobs
     * @param breakEvery the n such that each n-th job makes the first worker that receives it fail
     */
    Workers(int workers, int jobs, int breakEvery) {
        this.workers = workers;
        this.jobs = jobs;
        this.breakEvery = breakEvery;
    }

    private record Job(int number, int attempt, CompletableFuture<Integer> reply) {}

    /** Tells the foreman that a worker is free, and whether its last job was done or lost. */
    private record Free(int worker, int job, int attempt, boolean done) {}

    /**
     * @param done the number of jobs that were done
     * @param twice the number of jobs that were done more than once, which must be 0
     * @param instances the number of instances of workers, including replacements
     * @param broken the number of failures of workers
     */
    record Result(int done, int twice, int instances, int broken) {
        boolean isSound(int jobs, int workers) {
            return done == jobs && twice == 0 && instances <= workers + broken;
        }
    }

    private final class Worker implements Actor<Job> {
        Worker() {
            instances.incrementAndGet();
        }

        @Override
        public void receive(Job job, ActorContext<Job> self) {
            if (job.number() % breakEvery == 0 && job.attempt() == 0) {
                IllegalStateException broken = new IllegalStateException("job " + job.number() + " broke a worker");
                boolean unused = job.reply().completeExceptionally(broken);
                throw broken;
            }
            boolean unused = job.reply().complete(job.number());
        }
    }

    private final class Foreman implements Actor<Free> {
        private final List<ActorRef<Job>> crew;
        private final CountDownLatch open;
        private final ArrayDeque<Free> lost = new ArrayDeque<>();
        private final int[] times = new int[jobs];
        private int next;

        Foreman(List<ActorRef<Job>> crew, CountDownLatch open) {
            this.crew = crew;
            this.open = open;
        }

        @Override
        public void receive(Free free, ActorContext<Free> self) {
            if (free.job() >= 0 && free.done()) {
                twice += ++times[free.job()] > 1 ? 1 : 0;
                done++;
                open.countDown();
            } else if (free.job() >= 0) {
                lost.add(free);
            }
            Free again = lost.poll();
            if (again != null) {
                hand(free.worker(), again.job(), again.attempt() + 1, self);
            } else if (next < jobs) {
                hand(free.worker(), next++, 0, self);
            }
        }

        private void hand(int worker, int job, int attempt, ActorContext<Free> self) {
            self.ask(
                    crew.get(worker),
                    (CompletableFuture<Integer> reply) -> new Job(job, attempt, reply),
                    LIMIT,
                    (number, failure) -> new Free(worker, job, attempt, failure == null));
        }
    }

    Result run() throws InterruptedException {
        return run(step -> {});
    }

    /** Has the jobs done, and tells each step. */
    Result run(Consumer<String> steps) throws InterruptedException {
        try (Spindle spindle = Spindle.builder()
                .onFailure((activity, failure) -> broken.incrementAndGet())
                .build()) {
            try (Actors actors = Actors.create(spindle)) {
                List<ActorRef<Job>> crew = new ArrayList<>();
                for (int i = 0; i < workers; i++) {
                    crew.add(actors.<Job>actorBuilder("worker-" + i, Worker::new)
                            .capacity(2)
                            .supervision(Supervision.restart(jobs + 1, Duration.ofMinutes(1))
                                    .backoff(Duration.ofNanos(100_000), Duration.ofMillis(1)))
                            .build());
                }
                steps.accept(String.format(
                        Locale.ROOT,
                        "%d workers are actors; one that fails is replaced by a new one after 0.1 to 1 ms.",
                        workers));
                CountDownLatch all = new CountDownLatch(jobs);
                ActorRef<Free> foreman = actors.actor("foreman", () -> new Foreman(crew, all));
                steps.accept(String.format(
                        Locale.ROOT,
                        "A foreman has %,d jobs and hands each to a free worker; each %,d-th breaks its first worker.",
                        jobs,
                        breakEvery));
                for (int i = 0; i < workers; i++) {
                    foreman.send(new Free(i, -1, 0, false));
                }
                all.await();
                steps.accept(String.format(
                        Locale.ROOT,
                        "The last job is done. %,d failures were reported to the spindle's handler.",
                        broken.get()));
            }
        }
        return new Result(done, twice, instances.get(), broken.get());
    }
}
