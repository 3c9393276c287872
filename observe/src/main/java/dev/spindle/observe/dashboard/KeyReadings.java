// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.Stats;
import dev.spindle.WaitEdge;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The readings that visit every lane: the {@link KeyPass} and the waits. A reading that took the processor time
 * <i>c</i> is followed by a pause of at least 200 <i>c</i>. Used by one thread at a time.
 */
final class KeyReadings {
    /** The maximum pause after the first reading, which is slow, since its code is not compiled. Not measured. */
    private static final long COLD_MILLIS = 1_000;

    private final Spindle spindle;
    private final Pool pool;
    private final Settings settings;
    private final long stuckMillis;
    private final Cost cost;
    private Reading last = Reading.NONE;
    private long nextMillis;
    private boolean hasRead;
    private Map<String, CallTimes> routes = new HashMap<>(); // by owner and name

    /**
     * The figures of a part of the spindle, such as an executor or a channel, and of which other part it is one.
     *
     * @param times the durations of its calls, or null if it has none
     */
    record Part(
            SpindlePart.Kind kind,
            @Nullable String owner,
            Stats figures,
            @Nullable CallTimes times) {}

    /** Collects the parts, and adds the durations of calls to those of the last reading. */
    private final class Parts implements SpindlePart.FigureList {
        private final List<Part> all = new ArrayList<>();
        private final Map<String, CallTimes> found = new HashMap<>();
        private final long millis;

        Parts(long millis) {
            this.millis = millis;
        }

        @Override
        public void add(SpindlePart.Kind kind, @Nullable String owner, Stats figures) {
            all.add(new Part(kind, owner, figures, null));
        }

        @Override
        public void add(SpindlePart.Kind kind, @Nullable String owner, Stats figures, long[] bounds, long[] calls) {
            String name = owner + " " + figures.name();
            CallTimes known = found.get(name);
            CallTimes times = known != null ? known : routes.getOrDefault(name, new CallTimes());
            if (known == null) { // of routes with equal names, the durations of the first
                times.add(millis, bounds, calls);
                found.put(name, times);
            }
            all.add(new Part(kind, owner, figures, times));
        }
    }

    /**
     * The last reading.
     *
     * @param number the number of the reading, from 1
     * @param millis the time of the reading, by the clock of the pool
     * @param starved the lanes and executors that have waited too long, run nothing and do not move
     * @param late the number of those that move
     * @param superseded the number of superseded tasks that workers have not counted
     * @param costMicros the processor time of the reading
     */
    record Reading(
            long number,
            long millis,
            KeyPass pass,
            List<KeyPass.Row> old,
            List<KeyPass.Row> deep,
            List<Activity> starved,
            int late,
            List<WaitEdge> waits,
            IdentityHashMap<LaneName, KeyPass.Row> byLane,
            Map<Thread, WaitEdge> byThread,
            List<Part> parts,
            long superseded,
            long costMicros) {
        static final Reading NONE = new Reading(
                0,
                0,
                new KeyPass(0, 1),
                List.of(),
                List.of(),
                List.of(),
                0,
                List.of(),
                new IdentityHashMap<>(),
                Map.of(),
                List.of(),
                0,
                0);

        /** Returns the maximum number of workers, or 0 if it has not been read. */
        int maxThreads() {
            for (Part part : parts) {
                if (part.figures() instanceof SpindleStats whole) {
                    return whole.maxThreads();
                }
            }
            return 0;
        }

        /** Returns the figures of the part with that name, or null. */
        @Nullable
        Stats figures(SpindlePart.Kind kind, @Nullable String name) {
            for (Part part : parts) {
                if (part.kind() == kind && part.figures().name().equals(name)) {
                    return part.figures();
                }
            }
            return null;
        }

        /** Returns the wait of the open async task of {@code lane}, or null. */
        @Nullable
        WaitEdge waitOf(LaneName lane) {
            for (WaitEdge edge : waits) {
                Activity from = edge.from();
                if (edge.kind() == WaitEdge.Kind.STAGE
                        && from.key() == lane.key()
                        && Objects.equals(from.space(), lane.spaceName())) {
                    return edge;
                }
            }
            return null;
        }
    }

    KeyReadings(Spindle spindle, Pool pool, Settings settings, long stuckMillis, Cost cost) {
        this.stuckMillis = stuckMillis;
        this.spindle = spindle;
        this.pool = pool;
        this.settings = settings;
        this.cost = cost;
    }

    /** Returns the last reading, after a new one if that is due. */
    Reading read(long nowMillis) {
        if (hasRead && nowMillis < nextMillis) {
            return last;
        }
        long begin = cost.ownNanos();
        long now = pool.nanoTime();
        KeyPass pass = new KeyPass(now, stuckMillis);
        long superseded = pool.host().readLanes(pass);
        List<WaitEdge> waits = spindle.waits();
        List<KeyPass.Row> old = pass.old();
        IdentityHashMap<LaneName, KeyPass.Row> byLane = new IdentityHashMap<>();
        old.forEach(row -> byLane.put(row.lane(), row));
        Map<Thread, WaitEdge> byThread = new HashMap<>();
        for (WaitEdge edge : waits) {
            Thread thread = edge.from().thread();
            if (thread != null) {
                byThread.putIfAbsent(thread, edge);
            }
        }
        Parts parts = new Parts(nowMillis);
        pool.listFigures(parts);
        routes = parts.found;
        List<Activity> starved = new ArrayList<>();
        int late = 0;
        for (Activity activity : pool.host().stuck()) {
            late += activity.isLate() ? 1 : 0;
            if (!activity.isLate() && activity.runningFor() == null) { // the others are found faster
                starved.add(activity);
            }
        }
        long took = Math.max(0, cost.ownNanos() - begin);
        last = new Reading(
                last.number() + 1,
                nowMillis,
                pass,
                old,
                pass.deep(),
                starved,
                late,
                waits,
                byLane,
                byThread,
                parts.all,
                superseded,
                took / 1_000);
        long pause = settings.duty() * took / 1_000_000;
        nextMillis = nowMillis + (last.number() == 1 ? Math.min(pause, COLD_MILLIS) : pause);
        hasRead = true;
        return last;
    }
}
