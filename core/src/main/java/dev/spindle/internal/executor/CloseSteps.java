// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.Unfinished;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.report.UnfinishedView;
import dev.spindle.internal.wait.Closing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The close of an executor, with a report of what has not run (D2). */
public abstract class CloseSteps extends Closing<Runnable> {
    private final String executor;
    private @Nullable Removed removed;

    /** Creates the steps for {@code executor}, the name in messages and the owner of tasks without a lane. */
    protected CloseSteps(ExecutorKernel kernel, String executor) {
        super(kernel.pool(), executor);
        this.executor = executor;
    }

    /** Does what {@code shutdownNow} does, and adds the removed tasks to {@code to}. */
    protected abstract void halt(Removed to);

    /** Does what {@link #halt(Removed)} does, and returns the removed tasks. */
    public final Removed haltNow() {
        Removed all = new Removed(executor);
        halt(all);
        return all;
    }

    @Override
    protected final void halt() {
        removed = haltNow();
    }

    @Override
    protected final Unfinished<Runnable> unfinished() {
        return removed == null ? new Removed(executor).unfinished(List.of()) : removed.unfinished(running());
    }

    /** The tasks that a {@code shutdownNow} removes, with their owners. */
    public static final class Removed implements BiConsumer<@Nullable Object, Runnable> {
        private final String executor;
        private final List<Object> owners = new ArrayList<>();
        private final List<Runnable> tasks = new ArrayList<>();

        /**
         * Creates an empty list; {@code executor} is the name of the owner of tasks that have no owner of their own.
         */
        public Removed(String executor) {
            this.executor = executor;
        }

        @Override
        public void accept(@Nullable Object owner, Runnable task) {
            owners.add(owner == null ? executor : owner);
            tasks.add(task);
        }

        /** Adds {@code all} tasks of {@code owner}, a {@link LaneName} or a name. */
        public void addAll(Object owner, List<Runnable> all) {
            all.forEach(task -> accept(owner, task));
        }

        /** Returns the tasks in the order of their removal. */
        public List<Runnable> tasks() {
            return tasks;
        }

        /** Returns a report of these tasks and of the activities that still ran. */
        public Unfinished<Runnable> unfinished(List<Activity> running) {
            List<Object> of = List.copyOf(owners);
            return new UnfinishedView<>(List.copyOf(tasks), i -> name(of.get(i)), running);
        }

        /** Returns the name of an owner. May call {@code toString} of a key. */
        private static String name(Object owner) {
            return owner instanceof LaneName lane ? LaneOwner.describe(lane) : owner.toString();
        }
    }
}
