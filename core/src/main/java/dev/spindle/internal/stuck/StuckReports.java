// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

import dev.spindle.Activity;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.executor.ExecutorKernel;
import dev.spindle.internal.executor.FailureReport;
import dev.spindle.internal.executor.Waits;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.report.ActivityText;
import dev.spindle.internal.report.ActivityView;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports cases in the log, as events and to the user's handler, at most ten a second; the others are counted. The log
 * and the {@code toString} of keys run on the completer (A3), and the handler on a thread of its own, so that a handler
 * that blocks holds up only its own next calls.
 */
final class StuckReports {
    /** The maximum number of reports in a second. Not measured. */
    private static final int MOST = 10;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ExecutorKernel kernel;
    private final Pool pool;
    private final @Nullable StuckHandler handler;
    // the rest is used by the thread that looks
    private long second; // the begin of the present second
    private int reported; // in the present second
    private long counted; // cases that were not reported

    StuckReports(ExecutorKernel kernel, @Nullable Consumer<? super Activity> handler) {
        this.kernel = kernel;
        pool = kernel.pool();
        this.handler = handler == null ? null : new StuckHandler(kernel, handler);
        second = pool.nanoTime() - SECOND;
    }

    /** Reports the new cases {@code fresh}, of which those that last longest come first; {@code more} are counted. */
    void add(List<StuckCase> fresh, int more, long now) {
        if (now - second >= SECOND) {
            tellRest();
            second = now;
            reported = 0;
        }
        int room = Math.min(fresh.size(), MOST - reported);
        counted += more + fresh.size() - room;
        if (room > 0) {
            fresh.sort(Comparator.comparingLong(one -> one.since - now));
            reported += room;
            pool.complete(new Cases(List.copyOf(fresh.subList(0, room))));
        }
    }

    /** Reports the number of the cases that were only counted. */
    void tellRest() {
        if (counted > 0) {
            pool.complete(new Rest(counted));
            counted = 0;
        }
    }

    /** The cases of one look. */
    private final class Cases extends ReadyEntry {
        private final List<StuckCase> cases;

        Cases(List<StuckCase> cases) {
            this.cases = cases;
        }

        @Override
        public void turn(WorkerContext r) {
            Waits waits = kernel.waitsOf(StuckWatch.lanesOf(cases));
            for (StuckCase one : cases) {
                boolean unused = Thread.interrupted(); // A4
                try {
                    if (one.lasts()) {
                        report(one, waits);
                    }
                } catch (Throwable t) { // thrown by the user's log
                    kernel.failures().handlerFailed();
                }
            }
        }
    }

    /** The number of the cases that were not reported one by one. */
    private final class Rest extends ReadyEntry {
        private final long count;

        Rest(long count) {
            this.count = count;
        }

        @Override
        public void turn(WorkerContext r) {
            boolean unused = Thread.interrupted(); // A4
            try {
                FailureReport.stuck(count + " more cases of stuck or late work in spindle " + pool.name()
                        + " were not reported, after " + MOST + " in a second");
            } catch (Throwable t) { // thrown by the user's log
                kernel.failures().handlerFailed();
            }
        }
    }

    private void report(StuckCase one, Waits waits) {
        ActivityView view = one.view(kernel, pool.nanoTime(), waits);
        String owner = ActivityText.owner(view);
        String stack = ActivityText.stack(view);
        String waitsFor = ActivityText.waitsFor(one.edge(view, waits), view.thread());
        if (handler != null) {
            handler.add(view);
        }
        JfrEvents.stuck(pool.name(), view, owner, waitsFor, stack);
        StringBuilder line = new StringBuilder(owner);
        if (view.kind() != Activity.Kind.TASK) {
            line.append(" of spindle ").append(pool.name());
        }
        line.append(one.late ? " is late: " : " is stuck: ").append(one.text(view));
        Thread thread = view.thread();
        if (thread != null) {
            line.append(" on thread ").append(thread.getName());
        }
        if (waitsFor != null) {
            line.append(", waits for ").append(waitsFor);
        }
        if (view.pending() > 0 && view.runningFor() != null) {
            line.append("; ").append(view.pending()).append(" pending behind it");
        }
        FailureReport.stuck(stack.isEmpty() ? line.toString() : line + System.lineSeparator() + stack);
    }
}
