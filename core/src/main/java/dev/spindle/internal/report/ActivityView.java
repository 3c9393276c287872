// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The values of an {@link Activity}. */
public record ActivityView(
        Kind kind,
        Supplier<String> name,
        @Nullable String space,
        @Nullable Object key,
        @Nullable Object task,
        @Nullable Thread thread,
        @Nullable Duration runningFor,
        int pending,
        Duration oldestAge,
        long superseded,
        boolean isPaused,
        boolean isLate,
        Supplier<@Nullable WaitEdge> waits)
        implements Activity {
    /** Creates an activity that is not late. */
    public ActivityView(
            Kind kind,
            Supplier<String> name,
            @Nullable String space,
            @Nullable Object key,
            @Nullable Object task,
            @Nullable Thread thread,
            @Nullable Duration runningFor,
            int pending,
            Duration oldestAge,
            long superseded,
            boolean isPaused,
            Supplier<@Nullable WaitEdge> waits) {
        this(kind, name, space, key, task, thread, runningFor, pending, oldestAge, superseded, isPaused, false, waits);
    }

    /** Creates the activity of a party without a lane. */
    public ActivityView(Kind kind, String owner, @Nullable Object task, @Nullable Thread thread) {
        this(kind, () -> owner, null, null, task, thread, null, 0, Duration.ZERO, 0, false, ActivityView::noWait);
    }

    /** Returns the activity of a party without a lane that has run for {@code runningFor}. */
    public static ActivityView running(
            Kind kind, String owner, @Nullable Thread thread, Duration runningFor, int pending) {
        return new ActivityView(
                kind,
                () -> owner,
                null,
                null,
                null,
                thread,
                runningFor,
                pending,
                Duration.ZERO,
                0,
                false,
                ActivityView::noWait);
    }

    /** Returns this activity under the kind and the name of {@code party}, for which the lane or the thread acts. */
    public ActivityView as(ActivityView party) {
        return new ActivityView(
                party.kind,
                party.name,
                space,
                key,
                task,
                thread,
                runningFor,
                pending,
                oldestAge,
                superseded,
                isPaused,
                isLate,
                waits);
    }

    /** Returns this activity with another state. */
    public ActivityView with(@Nullable Duration running, boolean late, Supplier<@Nullable WaitEdge> edge) {
        return new ActivityView(
                kind, name, space, key, task, thread, running, pending, oldestAge, superseded, isPaused, late, edge);
    }

    /** Returns this activity as that of the handler {@code name}, for which {@code waiting} items wait. */
    public ActivityView ofHandler(Supplier<String> name, int waiting) {
        return new ActivityView(
                Kind.HANDLER, name, null, null, null, thread, runningFor, waiting, Duration.ZERO, 0, false, waits);
    }

    /** Returns null, as the source of waits of a party that waits for nothing. */
    public static @Nullable WaitEdge noWait() {
        return null;
    }

    /** Returns the longer of the age of the oldest pending task and the run time of the running task. */
    public Duration busyFor() {
        return runningFor == null || runningFor.compareTo(oldestAge) < 0 ? oldestAge : runningFor;
    }

    @Override
    public String owner() {
        return name.get(); // may call toString of a key, which is user code, so the library does not call owner()
    }

    @Override
    public List<StackTraceElement> stack() {
        return thread == null ? List.of() : List.of(thread.getStackTrace());
    }

    @Override
    public @Nullable WaitEdge waitsFor() {
        return waits.get();
    }

    @Override
    public String toString() {
        return owner()
                + (isPaused ? ", paused" : "")
                + (pending == 0 ? "" : ", " + pending + " pending" + (oldestAge.isZero() ? "" : " for " + oldestAge))
                + (runningFor == null ? "" : (kind == Kind.ASYNC ? ", async for " : ", running for ") + runningFor)
                + (thread == null ? "" : " on " + thread.getName());
    }
}
