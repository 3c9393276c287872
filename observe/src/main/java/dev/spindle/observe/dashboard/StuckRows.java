// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.Activity;
import dev.spindle.Stats;
import dev.spindle.WaitEdge;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.SpindlePart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has run, been open or waited longer than the limit, with the cause of each. Tasks that hold a worker come from
 * the workers, so they are found in each reading; the others come from the last pass over the keys.
 */
final class StuckRows {
    /** The maximum number of rows that a frame has. Not measured. */
    static final int MOST = 48;

    private static final String EXECUTOR = "executor ";

    private final List<Row> rows = new ArrayList<>();
    private int all;

    /** A party that is stuck. */
    private record Row(
            @Nullable String space,
            String name,
            String kind,
            long millis,
            Reason reason,
            String at,
            int behind,
            long thread) {}

    /**
     * The reason why a party does not go on.
     *
     * @param by the name of the party that holds it up, or the empty text
     * @param thread the id of the thread of that party, or 0
     */
    private record Reason(String on, String what, String by, long thread) {}

    /** Finds the rows of a reading. */
    static StuckRows of(List<WorkerRows.Row> workers, KeyReadings.Reading keys, long limitMillis, Names names) {
        StuckRows found = new StuckRows();
        Map<Long, WorkerRows.Row> byThread = new HashMap<>();
        for (WorkerRows.Row worker : workers) {
            if (worker.isRunning) {
                byThread.put(worker.threadId(), worker);
            }
        }
        List<WorkerRows.Row> old = new ArrayList<>();
        for (WorkerRows.Row worker : workers) {
            if (worker.isRunning && worker.ageMillis >= limitMillis) {
                old.add(worker);
            }
        }
        found.all = old.size() + keys.pass().stuckAsync() + keys.starved().size();
        old.sort(Comparator.comparingLong((WorkerRows.Row worker) -> worker.ageMillis)
                .reversed());
        for (WorkerRows.Row worker : old.subList(0, Math.min(MOST, old.size()))) {
            LaneName lane = worker.lane();
            KeyPass.Row of = lane == null ? null : keys.byLane().get(lane);
            found.rows.add(new Row(
                    worker.space(),
                    worker.name(names),
                    worker.kind(),
                    worker.ageMillis,
                    reason(worker, keys, byThread, names),
                    worker.cause.at(),
                    of == null ? 0 : of.pending(),
                    worker.threadId()));
        }
        for (KeyPass.Row row : keys.old()) {
            if (row.asyncMillis() >= limitMillis) {
                WaitEdge edge = keys.waitOf(row.lane());
                found.add(row, row.asyncMillis(), edge == null ? stage() : reason(edge, stage(), names), names);
            }
        }
        for (Activity activity : keys.starved()) {
            found.add(activity, keys, names);
        }
        return found;
    }

    private void add(KeyPass.Row row, long millis, Reason reason, Names names) {
        if (rows.size() < MOST) {
            LaneName lane = row.lane();
            rows.add(new Row(lane.spaceName(), names.of(lane), Names.kind(lane), millis, reason, "", row.pending(), 0));
        }
    }

    private void add(Activity activity, KeyReadings.Reading keys, Names names) {
        if (rows.size() < MOST) {
            boolean isKey = activity.space() != null;
            String kind = isKey ? "key" : activity.kind() == Activity.Kind.EXECUTOR ? "executor" : "strand";
            rows.add(new Row(
                    activity.space(),
                    kind.equals("executor") ? bare(names.of(activity)) : names.of(activity),
                    kind,
                    activity.oldestAge().toMillis(),
                    turn(activity, keys),
                    "",
                    activity.pending(),
                    0));
        }
    }

    /** Returns the reason of a key, executor or strand that has not begun: its limit of tasks at once, or no worker. */
    private static Reason turn(Activity activity, KeyReadings.Reading keys) {
        boolean isKey = activity.space() != null;
        Stats limits = isKey
                ? keys.figures(SpindlePart.Kind.KEYS, activity.space())
                : keys.figures(SpindlePart.Kind.EXECUTOR, bare(activity.owner())); // none for a strand
        if (limits == null || limits.running() < limits.maxConcurrency()) {
            return new Reason("worker", "for a worker", "", 0);
        }
        String whole = (isKey ? "keys of " : "tasks of ") + limits.name();
        return limits.maxConcurrency() == 0
                ? new Reason("paused", "is paused, as are all " + whole, "", 0)
                : new Reason("turn", "for a turn: as many " + whole + " run as may", "", 0);
    }

    /** Returns the name of an executor from the name of the party, such as {@code "executor reads"}. */
    private static String bare(String party) {
        return party.startsWith(EXECUTOR) ? party.substring(EXECUTOR.length()) : party;
    }

    private static Reason stage() {
        return new Reason("stage", "for the stage of its async task", "", 0);
    }

    private static Reason reason(
            WorkerRows.Row worker, KeyReadings.Reading keys, Map<Long, WorkerRows.Row> byThread, Names names) {
        Cause cause = worker.cause;
        Thread thread = worker.thread;
        WaitEdge edge = thread == null ? null : keys.byThread().get(thread);
        Reason own = new Reason(cause.on(), cause.what(), "", 0);
        if (cause.owner() > 0) {
            WorkerRows.Row owner = byThread.get(cause.owner());
            String name = cause.ownerName();
            String by = owner != null ? owner.name(names) : name == null ? "a thread" : names.ofThread(name);
            return new Reason(cause.on(), cause.what(), by, cause.owner());
        }
        return edge == null || cause.on().equals("run") || cause.on().equals("sleep") ? own : reason(edge, own, names);
    }

    /** Returns the reason that {@code edge} tells, or {@code other} if the edge names no party. */
    private static Reason reason(WaitEdge edge, Reason other, Names names) {
        Activity to = edge.to();
        if (to.kind() == Activity.Kind.ASYNC && to.key() == null) {
            return other;
        }
        Thread thread = to.thread();
        long id = thread == null ? 0 : thread.getId();
        String by = names.of(to);
        return switch (edge.kind()) {
            case RESULT -> new Reason("future", "for the result of", by, id);
            case STAGE -> new Reason("stage", "for", by, id);
            case ROOM -> new Reason("room", "for room in", by, id);
            case VALUE -> new Reason("queue", "for a value of", by, id);
        };
    }

    /** Returns the number of all stuck parties, which may be more than the rows. */
    int all() {
        return all;
    }

    /** Writes the rows as the page reads them. */
    void write(Json json) {
        Map<Long, Row> byThread = new HashMap<>();
        for (Row row : rows) {
            if (row.thread != 0) {
                byThread.put(row.thread, row);
            }
        }
        json.array();
        for (Row row : rows) {
            Reason reason = row.reason;
            json.object()
                    .member("s", row.space)
                    .member("k", row.name)
                    .member("kind", row.kind)
                    .member("ms", row.millis)
                    .member("on", reason.on)
                    .member("what", reason.what)
                    .member("by", reason.by)
                    .member("at", row.at)
                    .member("deep", row.behind)
                    .member("th", row.thread)
                    .member("byTh", reason.thread)
                    .member("cyc", isCyclic(row, byThread) ? 1 : 0)
                    .endObject();
        }
        json.endArray();
    }

    private static boolean isCyclic(Row row, Map<Long, Row> byThread) {
        Set<Row> seen = new HashSet<>();
        Row next = row;
        while (next != null && seen.add(next)) {
            next = byThread.get(next.reason.thread);
        }
        return next == row;
    }
}
