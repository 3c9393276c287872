// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.LaneCore;
import dev.spindle.internal.Runner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lane with a handle instead of a key: a serial executor without a thread of its own. It stands where a program has an
 * {@code Executors.newSingleThreadExecutor()} or {@code newSingleThreadScheduledExecutor()}, with a shutdown of its own that
 * leaves the {@link Spindle} and all other lanes alone.
 *
 * <pre>{@code
 * ScheduledExecutorService orders = spindle.strand("orders"); // was: Executors.newSingleThreadScheduledExecutor()
 * }</pre>
 *
 * <p>Thread-safe. An idle strand holds no thread and no entry anywhere; one that is no longer used needs no shutdown. Order,
 * memory consistency effects and rejection are those of {@link Lane}.
 */
public final class Strand extends TaskService implements Lane, AutoCloseable {
    private final Spindle spindle;
    private final String name;
    private final LaneHandle lane;
    private final AtomicLong delayed = new AtomicLong();
    private final CompletableFuture<@Nullable Void> terminated = new CompletableFuture<>();
    // Made when somebody waits: the spindle refers to it.
    private volatile @Nullable CompletableFuture<@Nullable Void> ended;
    private volatile boolean shutdown;

    Strand(Spindle spindle, String name) {
        this.spindle = spindle;
        this.name = Objects.requireNonNull(name, "name");
        lane = new LaneHandle(spindle, this);
    }

    @Override
    public Object key() {
        return name;
    }

    // ---------------------------------------------------------------- submit

    @Override
    public void execute(Runnable task) {
        lane.execute(task);
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
        return new TaskFuture<>(lane, task, result);
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> firstOf(Collection<? extends Callable<T>> tasks) {
        return new TaskFuture<>(lane, tasks, null);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Supplier<? extends CompletionStage<T>> task) {
        return lane.submitAsync(task);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Supplier<? extends CompletionStage<T>> task, Duration limit) {
        return lane.submitAsync(task, limit);
    }

    @Override
    public Coalesced coalesce(Runnable task) {
        return lane.coalesce(task);
    }

    @Override
    public Coalesced coalesce(Object slot, Runnable task) {
        return lane.coalesce(slot, task);
    }

    // ---------------------------------------------------------------- schedule

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Duration delay) {
        return lane.schedule(task, delay);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
        return lane.scheduleAtFixedRate(task, initialDelay, period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
        return lane.scheduleWithFixedDelay(task, initialDelay, delay);
    }

    @Override
    <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
        return spindle.delay(lane, task, null, delayNanos, periodNanos);
    }

    void delayedBegan() {
        delayed.incrementAndGet();
    }

    void delayedEnded() {
        delayed.decrementAndGet();
        tryTerminate();
    }

    // ---------------------------------------------------------------- control

    @Override
    public void pause() {
        lane.pause();
    }

    @Override
    public void resume() {
        lane.resume();
    }

    @Override
    public List<Runnable> cancelPending() {
        return lane.cancelPending();
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        return lane.quiesce();
    }

    @Override
    public LaneSnapshot snapshot() {
        return lane.snapshot();
    }

    // ---------------------------------------------------------------- shutdown

    /** Accepts nothing more, ends pauses and periodic tasks, and runs everything accepted. Returns at once. */
    @Override
    public void shutdown() {
        shutdown(false);
    }

    /**
     * Accepts nothing more, takes away everything that has not started, cancels the futures, and interrupts the task that
     * runs, and no other.
     *
     * @return the tasks as they were handed in, in order, delayed ones last
     */
    @Override
    public List<Runnable> shutdownNow() {
        shutdown = true;
        List<Runnable> tasks = new ArrayList<>(lane.cancelPending());
        tasks.addAll(shutdown(true));
        LaneCore core = lane.existing();
        if (core != null) {
            core.interruptTurn();
        }
        return tasks;
    }

    private List<Runnable> shutdown(boolean all) {
        shutdown = true;
        List<Runnable> tasks = new ArrayList<>();
        DelayedHome.cancel(spindle.timers(), all, this::isMine, tasks);
        LaneCore core = lane.existing();
        if (core != null) {
            core.close();
        }
        tryTerminate();
        return tasks;
    }

    private boolean isMine(DelayedTask<?> task) {
        return task.home() instanceof DelayedHome home && home.strand() == this;
    }

    void laneDied() {
        tryTerminate();
    }

    private void tryTerminate() {
        if (shutdown && delayed.get() == 0 && lane.existing() == null) {
            terminated.complete(null);
        }
    }

    @Override
    public boolean isShutdown() {
        return shutdown || spindle.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return terminated.isDone() || spindle.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            ended().get(timeout, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError("termination does not fail", e);
        }
    }

    private CompletableFuture<@Nullable Void> ended() {
        CompletableFuture<@Nullable Void> made = ended;
        if (made == null) {
            made = terminated.applyToEither(spindle.terminated(), nothing -> null);
            ended = made;
        }
        return made;
    }

    /**
     * Shuts down and waits until everything accepted has ended. An interrupt turns it into {@link #shutdownNow}, after which
     * it still waits, and stays set. The spindle goes on.
     *
     * @throws IllegalStateException if called by a task of this strand, which would wait for itself
     */
    @Override
    public void close() {
        Runner runner = Runner.current();
        LaneCore core = runner == null ? null : runner.lane();
        if (core != null && core.key() == this) {
            throw new IllegalStateException("strand " + name + " cannot be closed by a task of its own,"
                    + " which would wait for itself; call shutdown() instead");
        }
        Blocking.run(() -> Closing.close(this));
    }

    @Override
    public String toString() {
        return "strand " + name;
    }
}
