// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.executor.CloseSteps;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of strands among which work is distributed round-robin, by index, or by key. The tasks of one strand
 * run one at a time, in order. Tasks of different strands run concurrently.
 *
 * <pre>{@code
 * StrandGroup group = Strand.builder("raft").buildGroup(8);           // eight threads
 * StrandGroup same = spindle.strandBuilder("raft").buildGroup(8);     // the spindle's threads
 * group.at(node.index()).execute(() -> node.append(entries));
 * }</pre>
 *
 * <p>Thread-safe. Order, memory consistency effects and rejection are those of {@link Lane}. A group suits a fixed
 * number of sources of tasks, and replaces a fixed set of threads. For a changing set of keys, use
 * {@link Spindle#keyed}, in which different keys never share a lane.
 */
public final class StrandGroup implements AutoCloseable {
    private final String name;
    private final List<Strand> members;
    private final Chooser chooser;
    private final AtomicLong turn = new AtomicLong();

    StrandGroup(String name, List<Strand> members) {
        this.name = name;
        this.members = List.copyOf(members);
        chooser = new Chooser(members.size());
    }

    /** Returns the strands, in the order of their indices. */
    public List<Strand> strands() {
        return members;
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
     * Returns the strand of a key; equal keys have the same strand. The strand depends only on the size of the group
     * and on the key's {@code hashCode}, or on the name of an enum constant. For numbers, strings, and lists of these,
     * the strand is therefore the same in every run and on every JDK.
     */
    public Strand forKey(Object key) {
        // the hash code of an enum constant differs between runs
        Object hashed = key instanceof Enum<?> constant ? constant.name() : key;
        return members.get(chooser.indexOf(Objects.requireNonNull(hashed, "key").hashCode()));
    }

    // ---------------------------------------------------------------- shutdown

    /**
     * Shuts down all strands, as {@link Strand#shutdown} does, and waits until all accepted tasks have ended. If the
     * calling thread is interrupted, {@linkplain #halt halts} the strands, continues to wait, and restores the
     * interrupt flag before it returns.
     *
     * <p>With a {@link SpindleBuilder#closeTimeout} of the spindle, does what {@link #close(Duration)} does with that
     * time, and logs the report if it has halted.
     *
     * @throws IllegalStateException if called by a task of one of the strands, which would wait for itself
     */
    @Override
    public void close() {
        new Steps().close(refusal());
    }

    /**
     * Shuts down all strands and waits until all accepted tasks have ended, at most for {@code timeout}. When the time
     * has passed, does what {@link Strand#shutdownNow} does for each, and returns at most 1 s later, even if tasks do
     * not react to their interrupt. If the calling thread is interrupted, does the same at once, and restores the
     * interrupt flag before it returns.
     *
     * @return the tasks that have not run, by strand, and what still runs; empty if all tasks have ended in time
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws IllegalStateException if called by a task of one of the strands, which would wait for itself
     */
    public Unfinished<Runnable> close(Duration timeout) {
        return new Steps().close(refusal(), Durations.requireLimit("timeout", timeout));
    }

    private @Nullable String refusal() {
        return members.stream()
                .filter(Strand::waitsForCaller)
                .findFirst()
                .map(member -> "group " + name + " cannot be closed by a task of " + member
                        + ", which would wait for itself; call drain() instead")
                .orElse(null);
    }

    private final class Steps extends CloseSteps {
        Steps() {
            super(at(0).kernel(), "group " + name);
        }

        @Override
        protected CompletableFuture<?> drain() {
            return StrandGroup.this.drain();
        }

        @Override
        protected void halt(CloseSteps.Removed to) {
            members.forEach(member -> to.addAll(member.toString(), member.shutdownNow()));
        }

        @Override
        protected List<Activity> running() {
            return members.stream().flatMap(member -> member.running().stream()).toList();
        }
    }

    /**
     * Shuts down all strands at the same time, as {@link Strand#shutdown} does. No strand waits for another. Returns at
     * once.
     *
     * @return a future that completes when all strands have terminated
     */
    public CompletableFuture<@Nullable Void> drain() {
        members.forEach(Strand::shutdown);
        return terminated();
    }

    /**
     * Shuts down all strands as {@link Strand#shutdownNow} does: removes the tasks that have not started, cancels their
     * futures, and interrupts the running tasks. Returns at once.
     *
     * @return a future that completes with the removed tasks, by strand, when all strands have terminated
     */
    public CompletableFuture<Unfinished<Runnable>> halt() {
        CloseSteps.Removed removed = new Steps().haltNow();
        return terminated().thenApply(nothing -> removed.unfinished(List.of()));
    }

    private CompletableFuture<@Nullable Void> terminated() {
        return CompletableFuture.allOf(members.stream().map(Strand::terminated).toArray(CompletableFuture<?>[]::new));
    }

    /** Distributes numbers over the members of a group. */
    static final class Chooser {
        private final int size;
        private final int mask; // -1 if the size is not a power of two

        Chooser(int size) {
            this.size = size;
            mask = Integer.bitCount(size) == 1 ? size - 1 : -1;
        }

        /** Returns the index of the member for a number of any sign. Consecutive numbers have consecutive members. */
        int index(long number) {
            return mask >= 0 ? (int) number & mask : Math.floorMod(number, size);
        }

        /** Returns the index of the member for {@code hash}. All bits of {@code hash} affect the index. */
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
        return "group " + name + "[" + strands().size() + " strands]";
    }
}
