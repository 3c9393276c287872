// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.internal.SpindlePart.Kind;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of a spindle in one registry. Thread-safe. */
final class SpindleMetricsBinding {
    /*
     * A thread that reads the first value of a scrape takes the next snapshot, and then adds and removes meters. Only
     * one thread at a time does this: `refreshing`. The registry runs filters and listeners of users, so no thread
     * calls the registry while it holds a lock. A thread that has added meters reads `closed` afterwards; close() sets
     * `closed` and then removes the meters, so one of them removes what was added.
     *
     * `times` guards the two SampledTimes.
     */
    private static final double[] QUANTILES = {0.5, 0.99};

    private final MeterRegistry registry;
    private final Snapshots snapshots;
    private final Tags tags;
    private final Map<Part, List<Value>> values = new ConcurrentHashMap<>();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final Object times = new Object();
    private final SampledTimes runs = new SampledTimes();
    private final SampledTimes waits = new SampledTimes();
    private volatile @Nullable Snapshot shown;
    private volatile boolean closed;

    SpindleMetricsBinding(MeterRegistry registry, Snapshots snapshots, Tags tags) {
        this.registry = registry;
        this.snapshots = snapshots;
        this.tags = tags;
    }

    /** Adds the meters of the present parts. */
    void begin() {
        Snapshot unused = snapshot(new Snapshots.Reader());
        snapshots.expire(); // the first scrape takes the next
    }

    /** Removes all meters. */
    void close() {
        closed = true;
        values.keySet().forEach(this::remove);
    }

    /** Returns the snapshot for the reader of a value; null after the end. */
    private @Nullable Snapshot snapshot(Snapshots.Reader reader) {
        Snapshot next = closed ? null : snapshots.next(reader);
        if (next != shown && refreshing.compareAndSet(false, true)) {
            try {
                refresh(next);
            } finally {
                refreshing.set(false);
            }
        }
        return next;
    }

    private void refresh(@Nullable Snapshot next) {
        shown = next;
        if (next == null) { // the spindle is no longer reachable
            close();
            return;
        }
        synchronized (times) {
            long completed = next.spindle().completed();
            runs.add(next.times().runs(), completed);
            waits.add(next.times().waits(), completed);
        }
        for (Part part : values.keySet()) {
            if (!next.parts().contains(part)) {
                remove(part);
            }
        }
        Set<Meter> before = Set.of();
        for (Part part : next.parts()) {
            if (!values.containsKey(part)) {
                if (before.isEmpty()) {
                    before = Collections.newSetFromMap(new IdentityHashMap<>());
                    before.addAll(registry.getMeters());
                }
                add(part, next, before);
            }
        }
        if (closed) {
            close();
        }
    }

    private void remove(Part part) {
        List<Value> gone = values.remove(part);
        if (gone == null) {
            return;
        }
        for (Value value : gone) {
            Meter meter = value.meter;
            // A later spindle with the same name may have replaced the meter.
            if (meter != null && registry.getMeters().stream().anyMatch(one -> one == meter)) {
                Meter unused = registry.remove(meter);
            }
        }
    }

    private void add(Part part, Snapshot from, Set<Meter> before) {
        Tags named = tags.and(tags(part));
        List<Value> all = new ArrayList<>();
        values.put(part, all); // keeps the values reachable, to which registries refer weakly
        for (Measure measure : Measure.of(part.kind())) {
            Value value = new Value(snapshot -> snapshot.sum(part, measure.count()));
            all.add(value);
            value.meter = own(
                    () -> measure.isTotal()
                            ? FunctionCounter.builder(measure.name(), value, Value::get)
                                    .tags(named)
                                    .baseUnit(measure.unit())
                                    .description(measure.help())
                                    .register(registry)
                            : Gauge.builder(measure.name(), value::get)
                                    .tags(named)
                                    .baseUnit(measure.unit())
                                    .description(measure.help())
                                    .register(registry),
                    before);
        }
        if (part.kind() == Kind.SPINDLE && from.times().sampleOneIn() > 0) {
            addTimes("executor", "spindle.run", "Run time of tasks", runs, named, all, before);
            addTimes("executor.idle", "spindle.queue.wait", "Wait for a worker", waits, named, all, before);
        }
    }

    private void addTimes(
            String timer,
            String quantiles,
            String help,
            SampledTimes of,
            Tags named,
            List<Value> all,
            Set<Meter> before) {
        Value count = new Value(snapshot -> timed(of, SampledTimes::tasks));
        Value total = new Value(snapshot -> timed(of, SampledTimes::totalNanos));
        all.add(count);
        all.add(total);
        count.meter = own(
                () -> FunctionTimer.builder(
                                timer, count, value -> (long) value.get(), value -> total.get(), TimeUnit.NANOSECONDS)
                        .tags(named)
                        .description(help)
                        .register(registry),
                before);
        for (double share : QUANTILES) {
            Value quantile = new Value(snapshot -> timed(of, sampled -> sampled.quantileNanos(share)));
            all.add(quantile);
            quantile.meter = own(
                    () -> TimeGauge.builder(quantiles, quantile::get, TimeUnit.NANOSECONDS)
                            .tags(named.and("quantile", String.valueOf(share)))
                            .description(help + ", of recent samples")
                            .register(registry),
                    before);
        }
    }

    private double timed(SampledTimes of, ToDoubleFunction<SampledTimes> value) {
        synchronized (times) {
            return value.applyAsDouble(of);
        }
    }

    /** Registers a meter, in place of a meter in {@code before} with the same name and tags. */
    private Meter own(Supplier<Meter> register, Set<Meter> before) {
        Meter meter = register.get();
        if (before.contains(meter)) {
            Meter unused = registry.remove(meter);
            meter = register.get();
        }
        return meter;
    }

    private Tags tags(Part part) {
        String spindle = snapshots.name();
        return switch (part.kind()) {
            case SPINDLE, STRANDS, ACTORS, GATEWAY -> Tags.of("name", spindle);
            case EXECUTOR -> Tags.of("name", spindle + "/" + part.name());
            case KEYS -> Tags.of("name", spindle, "space", part.name());
            case CHANNEL -> Tags.of("name", spindle, "channel", part.name());
            case PIPELINE -> Tags.of("name", spindle, "pipeline", part.name());
            case STAGE ->
                Tags.of("name", spindle, "pipeline", Objects.requireNonNull(part.owner()), "stage", part.name());
            case ENDPOINT -> Tags.of("name", spindle, "endpoint", part.name());
            case BULKHEAD -> Tags.of("name", spindle, "bulkhead", part.name());
            case BREAKER -> Tags.of("name", spindle, "breaker", part.name());
            case ROUTE -> Tags.of("name", spindle, "route", part.name());
            case CONSUMER -> Tags.of("name", spindle, "consumer", part.name());
            case PARTITION ->
                Tags.of("name", spindle, "consumer", Objects.requireNonNull(part.owner()), "partition", part.name());
        };
    }

    /** A value that registries read. */
    private final class Value {
        private final Snapshots.Reader reader = new Snapshots.Reader();
        private final ToDoubleFunction<Snapshot> read;
        private volatile double last = Double.NaN;

        @Nullable
        Meter meter;

        Value(ToDoubleFunction<Snapshot> read) {
            this.read = read;
        }

        /** Returns the value, or after the end of its part the last value. */
        double get() {
            Snapshot snapshot = snapshot(reader);
            double now = snapshot == null ? Double.NaN : read.applyAsDouble(snapshot);
            if (!Double.isNaN(now)) {
                last = now;
            }
            return last;
        }
    }
}
