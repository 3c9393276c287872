// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.ExecutorCloser;
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
 * A fixed number of strands among which work is distributed round-robin, by index, or by key. Tasks of one member run
 * one at a time in order; different members run concurrently.
 *
 * <pre>{@code
 * StrandGroup group = Strand.builder("raft").capacity(32_768).group(8);               // eight threads
 * StrandGroup same = Strand.builder("raft").capacity(32_768).on(spindle).group(8);    // the spindle's threads
 * group.execute(node.index(), () -> node.append(entries));
 * }</pre>
 *
 * <p>Thread-safe. Order, memory consistency effects and rejection are those of {@link Lane}. A group suits a known
 * number of sources, and code that expects a fixed set of threads. For keys that come and go use {@link Spindle#keyed},
 * in which unrelated keys never share a lane.
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

    /** Returns the number of strands. */
    public int size() {
        return members.size();
    }

    // ---------------------------------------------------------------- choose

    /** Returns the next strand in round-robin order. */
    public Strand next() {
        return members.get(chooser.index(turn.getAndIncrement()));
    }

    /**
     * Returns the strand at {@code index} modulo the size.
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
     * Returns the strand of a key; equal keys have the same strand. It depends only on the size and on the key's
     * {@code hashCode}, for a constant of an enum on its name. If the hash code is the same in every run and on every
     * JDK, as for numbers, strings and lists of these, so is the strand.
     */
    public Strand forKey(Object key) {
        Object hashed = key instanceof Enum<?> constant ? constant.name() : key; // an enum hash differs between runs
        return members.get(chooser.indexOf(Objects.requireNonNull(hashed, "key").hashCode()));
    }

    /**
     * Runs {@code task} in the strand at {@code index}.
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

    /** Returns an estimate of the number of waiting tasks of all strands. May take time in proportion to it. */
    public long estimatedPending() {
        return members.stream().mapToLong(Strand::estimatedPending).sum();
    }

    // ---------------------------------------------------------------- shutdown

    /** Shuts down all strands as {@link Strand#shutdown} does. */
    public void shutdown() {
        members.forEach(Strand::shutdown);
    }

    /**
     * Shuts down all strands as {@link Strand#shutdownNow} does.
     *
     * @return the removed tasks, those of one strand in order
     */
    public List<Runnable> shutdownNow() {
        List<Runnable> tasks = new ArrayList<>();
        members.forEach(member -> tasks.addAll(member.shutdownNow()));
        return tasks;
    }

    /**
     * Shuts down all strands at the same time, as {@link Strand#shutdownGracefully} does. No strand waits for another.
     *
     * @return a future that completes with the tasks removed at the limit when all strands have terminated
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

    /** Returns true if all strands are shut down. */
    public boolean isShutdown() {
        return members.stream().allMatch(Strand::isShutdown);
    }

    /** Returns true if all strands have terminated. */
    public boolean isTerminated() {
        return members.stream().allMatch(Strand::isTerminated);
    }

    /**
     * Waits until all strands have terminated, at most for {@code timeout}.
     *
     * @return false if the timeout elapsed first
     */
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        Pool clock = at(0).pool();
        long begin = clock.nanoTime();
        for (Strand member : members) {
            if (!member.awaitTermination(Math.max(0, nanos - (clock.nanoTime() - begin)), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Shuts down all strands and waits until all accepted tasks have ended. If the calling thread is interrupted, calls
     * {@link #shutdownNow}, goes on waiting, and restores the interrupt flag before it returns.
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

    /** All strands as one executor, so that they close together and an interrupt affects each. */
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

    /** Distributes numbers over the members of a group. */
    static final class Chooser {
        private final int size;
        private final int mask; // -1 if the size is not a power of two

        Chooser(int size) {
            this.size = size;
            mask = Integer.bitCount(size) == 1 ? size - 1 : -1;
        }

        /** Returns the member for a number of any sign. Consecutive numbers have consecutive members. */
        int index(long number) {
            return mask >= 0 ? (int) number & mask : Math.floorMod(number, size);
        }

        /** Returns the member for a hash code, of which all bits count. It is the same in every run on every JDK. */
        int indexOf(int hash) {
            int mixed = hash; // the finalizer of MurmurHash3
            mixed = (mixed ^ (mixed >>> 16)) * 0x85ebca6b;
            mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
            return index(mixed ^ (mixed >>> 16));
        }
    }

    /** Returns a string with the name and the number of strands. */
    @Override
    public String toString() {
        return "group " + name + "[" + size() + " strands]";
    }
}
