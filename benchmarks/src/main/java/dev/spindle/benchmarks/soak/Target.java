// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.LogicalExecutor;
import dev.spindle.LogicalExecutorBuilder;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The spindle of a round with all its views, and what each of them promises. Closed when the spindle has terminated. */
final class Target implements AutoCloseable {
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Ledger ledger;
    private final Spindle spindle;
    private final Keyed<Integer> keyed;
    private final int keys;
    private final List<Lane> strands = new ArrayList<>();
    private final List<Limit> laneLimits = new ArrayList<>();
    private final List<View> views = new ArrayList<>();
    private final ScheduledExecutorService stages =
            Executors.newSingleThreadScheduledExecutor(body -> daemon(body, "soak-stages"));

    /**
     * A logical executor and what it promises.
     *
     * @param place where its tasks run
     * @param ordered whether they keep the order of their submits, as one runs at a time
     */
    record View(LogicalExecutor executor, Entry.Place place, boolean ordered) {}

    Target(Shape shape, Ledger ledger) {
        this.ledger = ledger;
        String name = "soak-" + shape.seed();
        SpindleBuilder options = Spindle.builder()
                .name(name)
                .core(shape.core())
                .max(shape.max())
                .keepAlive(Duration.ofMillis(shape.keepAlive()))
                .linger(Duration.ofMillis(shape.linger()))
                .onFull(shape.onFull().onFull())
                .onFailure((key, task, failure) -> ledger.handled(task, failure))
                .threadFactory(body -> {
                    Thread thread = daemon(body, name + "-worker-" + threads.size());
                    threads.add(thread);
                    return thread;
                });
        if (shape.capacity() > 0) {
            options.capacity(shape.capacity());
        }
        if (shape.capacityPerKey() > 0) {
            options.capacityPerKey(shape.capacityPerKey());
        }
        spindle = options.build();
        keyed = spindle.keyed();
        keys = shape.keys();
        for (int strand = 0; strand < shape.strands(); strand++) {
            strands.add(spindle.strand("strand-" + strand));
        }
        for (int lane = 0; lane < lanes(); lane++) {
            laneLimits.add(new Limit("lane " + lane, 1));
        }
        views.add(view("first", shape.first()));
        views.add(view("second", shape.second()));
    }

    /** A daemon, so that what hangs is reported and does not keep the process. */
    static Thread daemon(Runnable body, String name) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }

    private View view(String name, Shape.Logical logical) {
        LogicalExecutorBuilder options = spindle.executor(name)
                .maxConcurrency(logical.maxConcurrency())
                .onFull(logical.onFull().onFull());
        if (logical.capacity() > 0) {
            options.queueCapacity(logical.capacity());
        }
        // Callers run their tasks besides the limit and before those that wait.
        Limit limit = logical.callersRun() ? null : new Limit("executor " + name, logical.maxConcurrency());
        return new View(
                options.build(),
                new Entry.Place(limit, null, limit == null),
                limit != null && logical.maxConcurrency() == 1);
    }

    Ledger ledger() {
        return ledger;
    }

    Spindle spindle() {
        return spindle;
    }

    Keyed<Integer> keyed() {
        return keyed;
    }

    /** Whether the lane is that of the key of the same number; else it is a strand. */
    boolean isKey(int lane) {
        return lane < keys;
    }

    int lanes() {
        return keys + strands.size();
    }

    Lane lane(int lane) {
        return isKey(lane) ? keyed.at(lane) : strands.get(lane - keys);
    }

    Limit laneLimit(int lane) {
        return laneLimits.get(lane);
    }

    List<View> views() {
        return views;
    }

    /** What completes the stages of async tasks. */
    ScheduledExecutorService stages() {
        return stages;
    }

    /** All threads that the pool has had. */
    List<Thread> threads() {
        return List.copyOf(threads);
    }

    @Override
    public void close() {
        stages.shutdownNow();
    }
}
