// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.WaitEdge;
import dev.spindle.observe.SpindleHealth;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code spindle}: the figures of all spindles, and what one of them does. It changes nothing. Keys are
 * shown as their {@code toString}.
 */
@Endpoint(id = "spindle")
final class SpindleEndpoint {
    /** The number of lines of a list unless the caller asks for another. Not measured. */
    private static final int LINES = 10;

    /** The number of frames of a stack. Not measured. */
    private static final int FRAMES = 20;

    private final PoolHealth pools;

    SpindleEndpoint(PoolHealth pools) {
        this.pools = pools;
    }

    /** Returns the figures of all spindles. */
    @ReadOperation
    Map<String, Object> pools() {
        Map<String, Object> all = new LinkedHashMap<>();
        pools.spindles().forEach((name, spindle) -> {
            Map<String, Object> figures = figures(name, spindle);
            figures.put(
                    "longestRunning",
                    spindle.running().stream().findFirst().map(Activity::owner).orElse(""));
            all.put(name, figures);
        });
        return Map.of("pools", all);
    }

    /**
     * Returns what a spindle does: its figures, what runs, the busiest keys, what is stuck, and what waits for what.
     *
     * @param lines the number of lines of each list; null for 10
     */
    @ReadOperation
    @Nullable
    Map<String, Object> pool(@Selector String name, @Nullable Integer lines) {
        Spindle spindle = pools.spindles().get(name);
        if (spindle == null) {
            return null;
        }
        int most = lines == null ? LINES : Math.max(0, lines);
        SpindleHealth health = pools.of(name, spindle);
        Map<String, Object> all = figures(name, spindle);
        all.put("running", list(spindle.running(), most, true));
        all.put("busiest", list(spindle.busiest(most), most, false));
        all.put("stuck", list(health.stuck(), most, true));
        all.put(
                "waits",
                spindle.waits().stream().limit(most).map(SpindleEndpoint::wait).toList());
        return all;
    }

    private Map<String, Object> figures(String name, Spindle spindle) {
        SpindleStats stats = spindle.stats();
        SpindleHealth.Status status = pools.of(name, spindle).check();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("ready", status.isReady());
        all.put("detail", status.detail());
        all.put("threads", stats.threads());
        all.put("idleThreads", stats.idleThreads());
        all.put("blockedThreads", stats.blockedThreads());
        all.put("peakThreads", stats.peakThreads());
        all.put("coreThreads", stats.coreThreads());
        all.put("maxThreads", stats.maxThreads());
        all.put("pending", stats.pending());
        all.put("accepted", stats.accepted());
        all.put("completed", stats.completed());
        all.put("failed", stats.failed());
        all.put("rejected", stats.rejected());
        all.put("dropped", stats.dropped());
        all.put("superseded", stats.superseded());
        all.put("keys", stats.keys());
        return all;
    }

    private static List<Map<String, Object>> list(List<Activity> activities, int most, boolean withStacks) {
        return activities.stream()
                .limit(most)
                .map(activity -> activity(activity, withStacks))
                .toList();
    }

    private static Map<String, Object> activity(Activity activity, boolean withStack) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("owner", activity.owner());
        Object task = activity.task();
        if (task != null) {
            all.put("task", task.toString());
        }
        Duration running = activity.runningFor();
        if (running != null) {
            all.put("runningFor", running.toString());
        }
        all.put("pending", activity.pending());
        all.put("oldestAge", activity.oldestAge().toString());
        Thread thread = activity.thread();
        if (thread != null) {
            all.put("thread", thread.getName());
        }
        if (withStack) {
            all.put(
                    "stack",
                    activity.stack().stream()
                            .limit(FRAMES)
                            .map(StackTraceElement::toString)
                            .toList());
        }
        return all;
    }

    private static Map<String, Object> wait(WaitEdge edge) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("from", edge.from().owner());
        all.put("to", edge.to().owner());
        all.put("kind", edge.kind().name());
        all.put("age", edge.age().toString());
        all.put("cyclic", edge.isCyclic());
        return all;
    }
}
