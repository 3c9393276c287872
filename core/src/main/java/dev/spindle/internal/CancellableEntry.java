// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An accepted task that wraps a user's task, and is notified when it is withdrawn. */
public interface CancellableEntry extends Runnable {
    /** Returns the task that the user handed in. */
    Runnable userTask();

    /** Returns the user's own object behind this entry, of any type. */
    default Object origin() {
        return userTask();
    }

    /** Called once, without a lock held, when the task was withdrawn and will never run; may drop the user's task. */
    void withdrawn();

    /** Called when the task's failure has been reported to the failure handler. */
    default void reported() {}

    /** Returns whether the task has a future. */
    default boolean hasFuture() {
        return false;
    }

    /** Completes the future with an exception thrown around the task; false if there is no future. */
    default boolean fail(Throwable thrown) {
        return false;
    }

    /** Returns whether the task was accepted with a delay. */
    default boolean isDelayed() {
        return false;
    }

    /** An entry that runs another entry or a user's task, and delegates to it. */
    interface Wrapper extends CancellableEntry {
        /** Returns the task that this entry runs. */
        Runnable inner();

        @Override
        default Runnable userTask() {
            return unwrap(inner());
        }

        @Override
        default Object origin() {
            return CancellableEntry.origin(inner());
        }

        @Override
        default void withdrawn() {
            withdraw(inner());
        }

        @Override
        default boolean hasFuture() {
            CancellableEntry entry = of(inner());
            return entry != null && entry.hasFuture();
        }

        @Override
        default boolean fail(Throwable thrown) {
            CancellableEntry entry = of(inner());
            return entry != null && entry.fail(thrown);
        }

        @Override
        default boolean isDelayed() {
            CancellableEntry entry = of(inner());
            return entry != null && entry.isDelayed();
        }
    }

    /** An entry that a bound may drop, oldest first. It waits in the injection queue, which finds the oldest entry. */
    abstract class Droppable implements Wrapper { // a class, since TaskKeys makes type tests
        /** Returns the permit of this entry to its bound, and returns the task to run. */
        public abstract Runnable start();
    }

    /** Returns {@code task} as an entry, or null if it is a user's own object. */
    static @Nullable CancellableEntry of(Object task) {
        return task instanceof CancellableEntry entry ? entry : null;
    }

    /** Returns the user's own object, which may be a {@code Callable} or a {@code Supplier}, behind {@code task}. */
    static Object origin(Object task) {
        CancellableEntry entry = of(task);
        return entry == null ? task : entry.origin();
    }

    /** Returns the user's own object behind {@code task}. */
    static Runnable unwrap(Runnable task) {
        CancellableEntry entry = of(task);
        return entry == null ? task : entry.userTask();
    }

    /** Notifies {@code tasks} that they were withdrawn, and replaces them by the user's own objects. */
    static void withdrawAll(List<Runnable> tasks) {
        tasks.replaceAll(CancellableEntry::withdraw);
        tasks.removeIf(InternalTask.class::isInstance);
    }

    /** Notifies {@code task} that it was withdrawn and returns the user's own object. */
    static Runnable withdraw(Runnable task) {
        CancellableEntry entry = of(task);
        if (entry == null) {
            return task;
        }
        // D1
        Runnable user = entry.userTask(); // before withdrawn(), which may drop it
        entry.withdrawn();
        return user;
    }
}
