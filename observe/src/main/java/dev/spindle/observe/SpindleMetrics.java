// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.Strand;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a spindle, of its key spaces and logical executors, and of the actors, channels, pipelines, endpoints
 * and gateways on it.
 *
 * <pre>{@code
 * new SpindleMetrics(spindle).bindTo(registry);
 * }</pre>
 *
 * <p>The spindle and each logical executor have the meters that {@code ExecutorServiceMetrics} of Micrometer gives an
 * executor of the JDK, from {@code executor.completed} to {@code executor.pool.max}, with the tag {@code name}. The
 * name of a logical executor is the name of the spindle, a slash, and its own name. The timers {@code executor} and
 * {@code executor.idle} estimate the run times of all tasks of the spindle, and the times for which they waited for a
 * worker, from the samples of {@link SpindleBuilder#sampleOneIn}. All other names begin with {@code spindle.}. No tag
 * has a key, nor the name of a strand or of an actor. Parts of one kind with equal names share their meters, and so do
 * the parts of a spindle after the first 500.
 *
 * <p><b>Cost.</b> Tasks pay nothing. A scrape reads the figures of the spindle once, in time proportional to the
 * numbers of lanes, pending tasks and parts. If that takes longer than a millisecond, scrapes within ten times that
 * time share one reading.
 *
 * <p><b>Parts that come and go.</b> A scrape adds the meters of the parts that were made since the last scrape; some
 * registries show them only in the next. A scrape removes the meters of the parts that have ended or are no longer
 * reachable. The end of the spindle removes all meters, and so does {@link #close}. If an open spindle is no longer
 * reachable, the next scrape removes them.
 *
 * <p>A meter replaces a meter of the registry with the same name and tags, such as that of an earlier spindle with the
 * same name. Thread-safe.
 */
public final class SpindleMetrics implements MeterBinder, AutoCloseable {
    private final Snapshots snapshots;
    private final Tags tags;
    private final List<SpindleMetricsBinding> bindings = new CopyOnWriteArrayList<>();
    private final CompletableFuture<@Nullable Void> end;
    private volatile boolean closed;

    /** Creates the meters of {@code spindle}, whose only tags are names. */
    public SpindleMetrics(Spindle spindle) {
        this(spindle, Tags.empty());
    }

    /** Creates the meters of {@code spindle}, with further tags. */
    public SpindleMetrics(Spindle spindle, Iterable<Tag> tags) {
        this(spindle.terminated(), tags, new Snapshots(spindle));
    }

    /** Creates the meters of a strand with a thread of its own, as those of a spindle with the name of the strand. */
    public SpindleMetrics(Strand strand) {
        this(strand, Tags.empty());
    }

    /**
     * Creates the meters of a strand with a thread of its own, with further tags.
     *
     * @throws IllegalArgumentException if the strand is on a spindle, whose meters include it
     */
    public SpindleMetrics(Strand strand, Iterable<Tag> tags) {
        this(requireAlone(strand).terminated(), tags, new Snapshots(strand));
    }

    SpindleMetrics(CompletableFuture<@Nullable Void> end, Iterable<Tag> tags, Snapshots snapshots) {
        this.snapshots = snapshots;
        this.tags = Tags.of(tags);
        this.end = end;
    }

    private static Strand requireAlone(Strand strand) {
        Lifetime lifetime = Pool.lifetimeOf(strand);
        if (!lifetime.isAlone()) {
            throw new IllegalArgumentException(strand + " is on spindle "
                    + Pool.of(strand).name() + ", whose meters include it; make the meters of that spindle");
        }
        return strand;
    }

    /**
     * Adds the meters to {@code registry}, until {@link #close} or the end of the spindle.
     *
     * @throws IllegalStateException after {@link #close} or the end of the spindle
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        if (closed || end.isDone()) {
            throw new IllegalStateException("the metrics of " + snapshots.name() + " are closed");
        }
        SpindleMetricsBinding binding = new SpindleMetricsBinding(registry, snapshots, tags);
        bindings.add(binding);
        binding.begin();
        CompletableFuture<?> unused = end.thenRun(this::close); // runs at once if the spindle has ended
        if (closed) {
            binding.close();
        }
    }

    /** Returns the readings of the spindle. */
    Snapshots snapshots() {
        return snapshots;
    }

    /** Removes the meters from all registries. The spindle is not affected. */
    @Override
    public void close() {
        closed = true;
        for (SpindleMetricsBinding binding : bindings) {
            binding.close();
        }
        bindings.clear();
        boolean unused = end.complete(null); // so that the spindle no longer refers to this object
    }
}
