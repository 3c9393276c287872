// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static java.util.Objects.requireNonNull;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.LogicalExecutor;
import dev.spindle.LogicalExecutorBuilder;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.Strand;
import dev.spindle.StrandBuilder;
import dev.spindle.StrandGroup;
import dev.spindle.WaitStrategy;
import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.tools.Spindles;
import dev.spindle.verify.torture.tools.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The pool of a program with its lanes and logical executors. */
final class Target {
    private static final Duration QUIET = Duration.ofMillis(1);

    private static final String OTHER_SLOT = "other";

    private final Threads threads;
    private final Threads ownThreads;
    private final Spindle spindle;
    private final Keyed<Integer> keyed;
    private final int keys;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Strand> strands = new ArrayList<>();
    private final @Nullable StrandGroup own; // contains the last strands
    private final int firstOwn;
    private final List<LogicalExecutor> views = new ArrayList<>();
    private final Place pool = Place.unlimited();
    private final List<Place> lanePlaces = new ArrayList<>();
    private final List<CompletableFuture<?>> terminations = new ArrayList<>();
    private final List<Place> viewPlaces = new ArrayList<>();

    /** Receives tasks that failed without a future, and tasks that a bound dropped. */
    interface Handler {
        void handle(Object task, Throwable failure);
    }

    /** Creates the pool and its lanes. {@code facade} wraps each lane, and a test passes a faulty wrapper. */
    Target(Program program, UnaryOperator<Lane> facade, Handler handler) {
        Program.Pool shape = program.pool();
        String name = "torture-" + program.seed();
        threads = new Threads(name + "-worker", shape.threads());
        ownThreads = new Threads(name + "-own", shape.threads());
        SpindleBuilder options = Spindles.builder()
                .name(name)
                .coreThreads(shape.core())
                .maxThreads(shape.max())
                .keepAlive(micros(shape.keepAlive()))
                .keyKeepAlive(micros(shape.linger()))
                .onFailure((activity, failure) -> handler.handle(requireNonNull(activity.task()), failure))
                .threadFactory(threads);
        if (shape.capacity() > 0) {
            options.capacity(shape.capacity(), shape.onFull().onFull());
        }
        spindle = options.build();
        keyed = spindle.keyed("tasks"); // sequential and coalescing tasks have lanes of this space
        if (shape.capacityPerKey() > 0) {
            keyed.setKeyCapacity(shape.capacityPerKey(), shape.onFull().onFull());
        }
        keys = shape.keys();
        for (int key = 0; key < keys; key++) {
            lanes.add(facade.apply(keyed.at(key)));
            lanePlaces.add(Place.serial());
        }
        firstOwn = shape.lanes() - shape.own();
        for (int strand = 0; strand < shape.strands() - shape.own(); strand++) {
            boolean quiet = program.isQuiet(keys + strand);
            StrandBuilder shared = spindle.strandBuilder("strand-" + strand);
            if (shape.capacityPerKey() > 0) {
                shared.capacity(shape.capacityPerKey(), shape.onFull().onFull());
            }
            strands.add(shared.quietPeriod(quiet ? QUIET : Duration.ZERO).build());
        }
        own = shape.own() == 0 ? null : ownStrands(name, shape, handler, program.isQuiet(firstOwn));
        if (own != null) {
            strands.addAll(own.strands());
        }
        for (Strand strand : strands) {
            lanes.add(facade.apply(strand));
            Place place = Place.serial();
            lanePlaces.add(place);
            terminations.add(strand.terminated().thenRun(place::terminated));
        }
        shape.views().forEach(this::addView);
    }

    private StrandGroup ownStrands(String name, Program.Pool shape, Handler handler, boolean quiet) {
        StrandBuilder options = Strand.builder(name + "-own", ownThreads, WaitStrategy.PARK)
                .onFailure((activity, failure) -> handler.handle(requireNonNull(activity.task()), failure));
        if (shape.capacityPerKey() > 0) {
            options.capacity(shape.capacityPerKey(), shape.onFull().onFull());
        }
        return options.quietPeriod(quiet ? QUIET : Duration.ZERO).buildGroup(shape.own());
    }

    private void addView(Program.View view) {
        LogicalExecutorBuilder options =
                spindle.executorBuilder("view-" + views.size()).maxConcurrency(view.concurrency());
        if (view.capacity() > 0) {
            options.capacity(view.capacity(), view.onFull().onFull());
        }
        views.add(options.build());
        // A task that runs on its submitter's thread is outside the concurrency limit, and may run before pending
        // tasks.
        viewPlaces.add(view.callersRun() ? Place.unlimited() : Place.of(view.concurrency()));
    }

    private static Duration micros(int micros) {
        return Duration.ofNanos(micros * 1_000L);
    }

    /** Returns a daemon thread, which does not keep the process alive if it hangs. */
    static Thread daemon(Runnable body, String name) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }

    List<CompletableFuture<?>> terminations() {
        return terminations;
    }

    Spindle spindle() {
        return spindle;
    }

    Lane lane(int lane) {
        return lanes.get(lane);
    }

    /** Returns the group of strands with their own threads, or null if there is none. */
    @Nullable
    StrandGroup own() {
        return own;
    }

    /** Returns all threads that the thread factories have created. */
    List<Thread> threads() {
        List<Thread> all = new ArrayList<>(threads.made());
        all.addAll(ownThreads.made());
        return all;
    }

    Place place(Where where, int at) {
        return switch (where) {
            case POOL -> pool;
            case LANE -> lanePlaces.get(at);
            case VIEW -> viewPlaces.get(at);
        };
    }

    Strand strand(int lane) {
        return strands.get(lane - keys);
    }

    /** Returns an executor that can be shut down. A key cannot be shut down. */
    ExecutorService executor(Where where, int at) {
        return switch (where) {
            case POOL -> spindle;
            case LANE -> strands.get(at - keys);
            case VIEW -> views.get(at);
        };
    }

    boolean isKey(int lane) {
        return lane < keys;
    }

    /**
     * Submits {@code job} by the operation that its step names.
     *
     * @return the future or the submission, or null if the operation returns none
     * @throws java.util.concurrent.RejectedExecutionException if the task is refused
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the future is returned as an Object
    @Nullable
    Object hand(Job job) {
        Step step = job.step();
        int at = step.at();
        switch (step.op()) {
            case PLAIN -> spindle.execute(job);
            case PLAIN_FUTURE -> {
                return spindle.submit(job);
            }
            case PLAIN_CALL -> {
                return spindle.submit((Callable<Integer>) job::call);
            }
            case PLAIN_DELAYED -> {
                return spindle.schedule(job, step.nanos(), TimeUnit.NANOSECONDS);
            }
            case LANE -> lane(at).execute(job);
            case LANE_BY_KEY, LANE_TAGGED -> handByKey(job, at);
            case LANE_FUTURE -> {
                return lane(at).submit(job);
            }
            case LANE_CALL -> {
                return lane(at).submit((Callable<Integer>) job::call);
            }
            case LANE_ASYNC -> {
                return lane(at).submitAsync(job::stage);
            }
            case LANE_DELAYED -> {
                return lane(at).schedule(job, delay(step).toNanos(), TimeUnit.NANOSECONDS);
            }
            case LANE_AT_RATE -> {
                return lane(at).scheduleAtFixedRate(
                                job, delay(step).toNanos(), period(step).toNanos(), TimeUnit.NANOSECONDS);
            }
            case LANE_WITH_DELAY -> {
                return lane(at).scheduleWithFixedDelay(
                                job, delay(step).toNanos(), period(step).toNanos(), TimeUnit.NANOSECONDS);
            }
            case COALESCE -> {
                return lane(at).coalesce(job);
            }
            case COALESCE_OTHER -> {
                return lane(at).coalesceSlot(OTHER_SLOT, job);
            }
            case VIEW -> views.get(at).execute(job);
            case VIEW_FUTURE -> {
                return views.get(at).submit(job);
            }
            case VIEW_DELAYED -> {
                return views.get(at).schedule(job, step.nanos(), TimeUnit.NANOSECONDS);
            }
            case PAUSE, CANCEL_PENDING, QUIESCE, GAP ->
                throw new IllegalArgumentException(step.op() + " submits no task");
        }
        return null;
    }

    /** Submits a delayed task to the executor of a step; no bound limits delayed tasks. */
    @SuppressWarnings("FutureReturnValueIgnored")
    void later(Step step, Runnable task) {
        switch (step.op().where()) {
            case POOL -> spindle.schedule(task, 0, TimeUnit.NANOSECONDS);
            case LANE -> lane(step.at()).schedule(task, 0, TimeUnit.NANOSECONDS);
            case VIEW -> views.get(step.at()).schedule(task, 0, TimeUnit.NANOSECONDS);
        }
    }

    private static Duration delay(Step step) {
        return Duration.ofNanos(step.nanos());
    }

    private static Duration period(Step step) {
        return Duration.ofNanos(Math.max(1, step.nanos()));
    }

    /** Submits a task by key, or to a strand by its handle. */
    private void handByKey(Job job, int at) {
        if (own != null && at >= firstOwn) {
            own.at(at - firstOwn).execute(job);
        } else if (!isKey(at)) {
            lane(at).execute(job);
        } else if (job.step().op() == Op.LANE_TAGGED) {
            spindle.execute(job);
        } else {
            keyed.execute(at, job);
        }
    }
}
