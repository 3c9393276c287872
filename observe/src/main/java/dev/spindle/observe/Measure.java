// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.SpindleStats;
import dev.spindle.Stats;
import dev.spindle.internal.SpindlePart.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A count that is shown of each part of a kind.
 *
 * @param name the name of the meter
 * @param unit the base unit, which some registries append to the name, or null
 * @param help a description
 * @param isTotal true if the count never decreases
 * @param count the count of one part
 */
record Measure(String name, @Nullable String unit, String help, boolean isTotal, ToDoubleFunction<Stats> count) {
    private static final String TASKS = "tasks";
    private static final String THREADS = "threads";
    private static final Map<Kind, List<Measure>> ALL = all();

    /** Returns the counts of parts of {@code kind}. */
    static List<Measure> of(Kind kind) {
        return ALL.getOrDefault(kind, List.of());
    }

    private static Map<Kind, List<Measure>> all() {
        Map<Kind, List<Measure>> all = new EnumMap<>(Kind.class);
        all.put(Kind.SPINDLE, ofSpindle());
        all.put(Kind.EXECUTOR, ofExecutor());
        all.put(
                Kind.KEYS,
                List.of(
                        gauge("spindle.keys.pending", TASKS, "Tasks of the keys that have not begun", Stats::pending),
                        gauge("spindle.keys.running", "keys", "Keys with a running task", Stats::running),
                        total("spindle.keys.coalesced", TASKS, "Tasks that newer ones replaced", Stats::superseded)));
        all.put(
                Kind.STRANDS,
                List.of(
                        gauge("spindle.strands.pending", TASKS, "Tasks of strands that have not begun", Stats::pending),
                        gauge("spindle.strands.running", "strands", "Strands with a running task", Stats::running)));
        all.put(
                Kind.ACTORS,
                List.of(
                        gauge("spindle.actors.mailbox", "messages", "Messages in the mailboxes", Stats::pending),
                        gauge("spindle.actors.running", "actors", "Actors that handle a message", Stats::running),
                        total("spindle.actors.handled", "messages", "Messages that were handled", Stats::completed),
                        total("spindle.actors.failed", "messages", "Messages whose handling failed", Stats::failed),
                        total("spindle.actors.dropped", "messages", "Messages that were dropped", Stats::dropped),
                        total("spindle.actors.coalesced", "messages", "Messages replaced", Stats::superseded),
                        total("spindle.actors.overdrafts", "messages", "Messages over a bound", Stats::overdrafts)));
        all.put(
                Kind.CHANNEL,
                List.of(
                        gauge("spindle.channel.pending", "values", "Values that wait in the channel", Stats::pending),
                        gauge("spindle.channel.capacity", "values", "Values that may wait", Stats::capacity),
                        total("spindle.channel.received", "values", "Values that were received", Stats::completed),
                        total("spindle.channel.dropped", "values", "Values that a halt removed", Stats::dropped)));
        all.put(
                Kind.PIPELINE,
                List.of(
                        gauge("spindle.pipeline.pending", "events", "Events in the ring", Stats::pending),
                        gauge("spindle.pipeline.capacity", "events", "Slots of the ring", Stats::capacity),
                        total("spindle.pipeline.completed", "events", "Events all stages handled", Stats::completed),
                        total("spindle.pipeline.failed", "events", "Events whose handling failed", Stats::failed)));
        all.put(
                Kind.STAGE,
                List.of(
                        gauge("spindle.stage.lag", "events", "Events that the stage may handle", Stats::pending),
                        total("spindle.stage.completed", "events", "Events the stage handled", Stats::completed),
                        total("spindle.stage.failed", "events", "Events whose handling failed", Stats::failed)));
        all.put(Kind.ENDPOINT, ofCalls("spindle.endpoint"));
        all.put(Kind.BULKHEAD, ofCalls("spindle.bulkhead"));
        all.put(
                Kind.BREAKER,
                List.of(
                        gauge("spindle.breaker.open", "breakers", "1 open, 0.5 half-open, 0 closed", Measure::isOpen),
                        gauge("spindle.breaker.running", "calls", "Calls under way", Stats::running),
                        total("spindle.breaker.completed", "calls", "Calls that ended", Stats::completed),
                        total("spindle.breaker.failed", "calls", "Calls that failed", Stats::failed),
                        total("spindle.breaker.rejected", "calls", "Calls that were refused", Stats::rejected)));
        all.put(
                Kind.GATEWAY,
                List.of(
                        gauge("spindle.gateway.running", "requests", "Requests under way", Stats::running),
                        gauge("spindle.gateway.limit", "requests", "Requests at once", Stats::maxConcurrency),
                        total("spindle.gateway.completed", "requests", "Requests that ended", Stats::completed),
                        total("spindle.gateway.failed", "requests", "Answers with a status 5xx", Stats::failed),
                        total("spindle.gateway.rejected", "requests", "Requests refused", Stats::rejected),
                        total("spindle.gateway.dropped", "requests", "Requests a drain cut off", Stats::dropped)));
        all.put(
                Kind.ROUTE,
                List.of(
                        total("spindle.route.completed", "requests", "Requests that ended", Stats::completed),
                        total("spindle.route.failed", "requests", "Answers with a status 5xx", Stats::failed)));
        all.put(
                Kind.CONSUMER,
                List.of(
                        gauge("spindle.consumer.pending", "records", "Records in memory", Stats::pending),
                        gauge("spindle.consumer.capacity", "records", "Records at most", Stats::capacity),
                        gauge("spindle.consumer.running", "calls", "Calls of the handler", Stats::running),
                        total("spindle.consumer.accepted", "records", "Records taken in", Stats::accepted),
                        total("spindle.consumer.completed", "records", "Records that are done", Stats::completed),
                        total("spindle.consumer.failed", "attempts", "Attempts that failed", Stats::failed),
                        total("spindle.consumer.dropped", "records", "Records of lost partitions", Stats::dropped),
                        total("spindle.consumer.coalesced", "records", "Records superseded", Stats::superseded)));
        all.put(
                Kind.PARTITION,
                List.of(
                        gauge("spindle.partition.lag", "records", "Records to the end of the log", Stats::pending),
                        gauge("spindle.partition.unfinished", "records", "Records that are not done", Stats::running),
                        gauge("spindle.partition.parked", "records", "Records of parked keys", Stats::dropped),
                        gauge("spindle.partition.age", "seconds", "Age of the oldest record", Measure::ageSeconds)));
        return all;
    }

    private static double ageSeconds(Stats stats) {
        return stats.overdrafts() / 1_000.0;
    }

    private static List<Measure> ofSpindle() {
        List<Measure> all = new ArrayList<>(ofTasks());
        all.add(pool("executor.pool.size", THREADS, "Worker threads", SpindleStats::threads));
        all.add(pool("executor.pool.core", THREADS, "Threads that are kept", SpindleStats::coreThreads));
        all.add(pool("executor.pool.max", THREADS, "Threads at most", SpindleStats::maxThreads));
        all.add(gauge("executor.running", null, "Threads that run a task and do not wait", Measure::notBlocked));
        all.add(total(
                "executor.steals",
                null,
                "Entries taken from another worker",
                stats -> of(stats).steals()));
        all.add(pool("spindle.blocked", THREADS, "Threads whose task waits", SpindleStats::blockedThreads));
        all.add(pool("spindle.ready", TASKS, "Ready lanes, executors and tasks", SpindleStats::ready));
        all.add(pool("spindle.keys.active", "keys", "Keys and strands with a lane", SpindleStats::keys));
        all.add(total("spindle.coalesced", TASKS, "Tasks that newer ones replaced", Stats::superseded));
        all.add(total(
                "spindle.wakeups",
                "wakeups",
                "Threads woken or started",
                stats -> of(stats).wakeUps()));
        all.add(total(
                "spindle.growth",
                "episodes",
                "Times that more threads than the core were needed",
                stats -> of(stats).growthEpisodes()));
        all.add(total(
                "spindle.handler.failures",
                "failures",
                "Times that a failure handler threw",
                stats -> of(stats).handlerFailures()));
        return all;
    }

    private static List<Measure> ofExecutor() {
        List<Measure> all = new ArrayList<>(ofTasks());
        all.add(gauge("executor.pool.size", THREADS, "Threads that run a task of it", Stats::running));
        all.add(gauge("executor.pool.core", THREADS, "Threads that may run a task", Stats::maxConcurrency));
        all.add(gauge("executor.pool.max", THREADS, "Threads that may run a task", Stats::maxConcurrency));
        return all;
    }

    /** The counts that Micrometer has of the executors of the JDK, and what these do not count. */
    private static List<Measure> ofTasks() {
        return List.of(
                total("executor.completed", TASKS, "Tasks that ended", Stats::completed),
                gauge("executor.active", THREADS, "Threads that run a task", Stats::running),
                gauge("executor.queued", TASKS, "Tasks that have not begun", Stats::pending),
                gauge("executor.queue.remaining", TASKS, "Tasks that may still be queued", Measure::remaining),
                total("spindle.accepted", TASKS, "Tasks that were accepted", Stats::accepted),
                total("spindle.failed", TASKS, "Tasks whose failure went to the handler", Stats::failed),
                total("spindle.rejected", TASKS, "Submits that were rejected", Stats::rejected),
                total("spindle.dropped", TASKS, "Tasks dropped to make room", Stats::dropped));
    }

    private static List<Measure> ofCalls(String prefix) {
        return List.of(
                gauge(prefix + ".running", "calls", "Calls with a permit", Stats::running),
                gauge(prefix + ".pending", "calls", "Calls that wait for a permit", Stats::pending),
                gauge(prefix + ".limit", "calls", "Calls that may run at once", Stats::maxConcurrency),
                total(prefix + ".completed", "calls", "Calls that ended", Stats::completed),
                total(prefix + ".rejected", "calls", "Calls that got no permit", Stats::rejected),
                total(prefix + ".dropped", "calls", "Calls that left the queue", Stats::dropped));
    }

    private static Measure pool(String name, String unit, String help, ToDoubleFunction<SpindleStats> count) {
        return gauge(name, unit, help, stats -> count.applyAsDouble(of(stats)));
    }

    private static Measure gauge(String name, @Nullable String unit, String help, ToDoubleFunction<Stats> count) {
        return new Measure(name, unit, help, false, count);
    }

    private static Measure total(String name, @Nullable String unit, String help, ToDoubleFunction<Stats> count) {
        return new Measure(name, unit, help, true, count);
    }

    private static SpindleStats of(Stats stats) {
        return (SpindleStats) stats;
    }

    private static double remaining(Stats stats) {
        return stats.capacity() == Integer.MAX_VALUE
                ? Integer.MAX_VALUE
                : Math.max(0, stats.capacity() - stats.pending());
    }

    private static double notBlocked(Stats stats) {
        return Math.max(0, stats.running() - of(stats).blockedThreads());
    }

    private static double isOpen(Stats stats) {
        int most = stats.maxConcurrency();
        return most == 0 ? 1 : most == Integer.MAX_VALUE ? 0 : 0.5;
    }
}
