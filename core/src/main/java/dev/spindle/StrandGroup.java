// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fixed number of strands among which work is spread: by turns, by index, or by key. Tasks of one member run one at a
 * time in order; members run beside each other.
 *
 * <pre>{@code
 * StrandGroup group = Strand.builder("raft").capacity(32_768).group(8);               // eight threads
 * StrandGroup same = Strand.builder("raft").capacity(32_768).on(spindle).group(8);    // the spindle's threads
 * group.execute(node.index(), () -> node.append(entries));
 * }</pre>
 *
 * <p>Thread-safe. Where keys come and go, {@link Spindle#keyed} keeps order for each without a stranger's key in the
 * same lane; a group is for a known number of sources, and for code that expects one.
 */
public final class StrandGroup implements Iterable<Strand>, AutoCloseable {
    private final String name;
    private final List<Strand> members;
    private final Chooser chooser;
    private final AtomicLong turn = new AtomicLong();

    StrandGroup(String name, List<Strand> members) {
        this.name = name;
        this.members = List.copyOf(members);
        chooser = new Chooser(members.size());
    }

    /** Returns how many strands there are. */
    public int size() {
        return members.size();
    }

    // ---------------------------------------------------------------- choose

    /** Returns the strand whose turn it is: one after the other. */
    public Strand next() {
        return members.get(chooser.index(turn.getAndIncrement()));
    }

    /**
     * Returns the strand of an index, which is taken modulo the size.
     *
     * @throws IllegalArgumentException if {@code index} is negative
     */
    public Strand at(int index) {
        if (index < 0) {
            throw new IllegalArgumentException(
                    "index must be 0 or more, is " + index + " for " + this + "; a hash code goes to forKey");
        }
        return members.get(chooser.index(index));
    }

    /**
     * Returns the strand of a key; the same for equal keys. It depends on {@code hashCode}, all bits of it, and on the
     * size alone: where the hash of a key is the same in every run and on every JDK, as that of a number, a string or a
     * list of these, so is its strand. That of a constant of an enum depends on the name.
     */
    public Strand forKey(Object key) {
        Object hashed = key instanceof Enum<?> constant ? constant.name() : key; // its own hash differs in each run
        return members.get(chooser.indexOf(Objects.requireNonNull(hashed, "key").hashCode()));
    }

    /**
     * Runs a task in the strand of an index.
     *
     * @throws IllegalArgumentException if {@code index} is negative
     * @throws java.util.concurrent.RejectedExecutionException as {@link Strand#execute} does
     */
    public void execute(int index, Runnable task) {
        at(index).execute(task);
    }

    /** Returns an iterator over the strands, in the order of their indices. */
    @Override
    public Iterator<Strand> iterator() {
        return members.iterator();
    }

    /** Returns about how many tasks wait in all strands; may take time in proportion to that. */
    public long estimatedPending() {
        return members.stream().mapToLong(Strand::estimatedPending).sum();
    }

    // ---------------------------------------------------------------- shutdown

    /** Shuts all strands down, each as {@link Strand#shutdown} does. */
    public void shutdown() {
        members.forEach(Strand::shutdown);
    }

    /**
     * Shuts all strands down, each as {@link Strand#shutdownNow} does.
     *
     * @return the tasks that were taken away, those of one strand in their order
     */
    public List<Runnable> shutdownNow() {
        List<Runnable> tasks = new ArrayList<>();
        members.forEach(member -> tasks.addAll(member.shutdownNow()));
        return tasks;
    }

    /**
     * Shuts all strands down at the same time, each as {@link Strand#shutdownGracefully} does. No strand waits for
     * another.
     *
     * @return completes when all have terminated, with the tasks that were taken away at the limit
     * @throws IllegalArgumentException if a time is out of range
     */
    public CompletableFuture<List<Runnable>> shutdownGracefully(Duration quiet, Duration limit) {
        List<CompletableFuture<List<Runnable>>> ends = members.stream()
                .map(member -> member.shutdownGracefully(quiet, limit))
                .toList();
        return CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0]))
                .thenApply(nothing ->
                        ends.stream().flatMap(end -> end.join().stream()).toList());
    }

    /** Returns whether all strands are shut down. */
    public boolean isShutdown() {
        return members.stream().allMatch(Strand::isShutdown);
    }

    /** Returns whether all strands have terminated. */
    public boolean isTerminated() {
        return members.stream().allMatch(Strand::isTerminated);
    }

    /**
     * Waits until all strands have terminated after a shutdown.
     *
     * @return false if the time passed before
     */
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        Pool clock = at(0).spindle().pool();
        long begin = clock.nanoTime();
        for (Strand member : members) {
            if (!member.awaitTermination(Math.max(0, nanos - (clock.nanoTime() - begin)), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Shuts all strands down and waits until everything accepted has ended. An interrupt turns it into {@link
     * #shutdownNow}, after which it still waits, and stays set.
     *
     * @throws IllegalStateException if called by a task of one of the strands, which would wait for itself
     */
    @Override
    public void close() {
        for (Strand member : members) {
            if (member.isCurrent()) {
                throw new IllegalStateException("group " + name + " cannot be closed by a task of " + member
                        + ", which would wait for itself; call shutdown() instead");
            }
        }
        ExecutorCloser.close(new All(), "group " + name, false);
    }

    /** All strands, to be closed as one executor: an interrupt concerns each. */
    private final class All extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            next().execute(task);
        }

        @Override
        public void shutdown() {
            StrandGroup.this.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return StrandGroup.this.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return StrandGroup.this.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return StrandGroup.this.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return StrandGroup.this.awaitTermination(timeout, unit);
        }
    }

    /** Returns a string with the name and the number of strands. */
    @Override
    public String toString() {
        return "group " + name + "[" + size() + " strands]";
    }
}
