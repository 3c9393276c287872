// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An accepted task that wraps a user's task, and that is notified of its withdrawal. */
public interface CancellableEntry extends Runnable {
    /** Returns the task as the user submitted it. */
    Runnable userTask();

    /** Returns the object that the user submitted, which may be a {@code Callable} or a {@code Supplier}. */
    default Object origin() {
        return userTask();
    }

    /**
     * Called once, without a lock held, after the task was withdrawn. The entry may drop its reference to the user's
     * task.
     */
    void withdrawn();

    /**
     * Withdraws the task, and returns the user's task; null if a caller has cancelled or completed the task before, so
     * that the task has ended already. Called once, without a lock held.
     */
    default @Nullable Runnable handBack() {
        Runnable user = userTask(); // before withdrawn(), which may drop the user's task
        withdrawn();
        return user;
    }

    /** Returns the lane or thread that has to complete the task, or null if none is known. */
    default @Nullable Object party() {
        return null;
    }

    /** Called after the failure of the task was reported to the failure handler. */
    default void reported() {}

    /** Returns whether the task has a future. */
    default boolean hasFuture() {
        return false;
    }

    /** Completes the future exceptionally with {@code thrown}. Returns false if there is no future. */
    default boolean fail(Throwable thrown) {
        return false;
    }

    /** Returns whether the task holds no permit of a bound: a delayed task, or a stage of a future. */
    default boolean isExempt() {
        return false;
    }

    /** An entry that delegates to the entry, or to the user's task, that it runs. */
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
        default void reported() {
            CancellableEntry entry = of(inner());
            if (entry != null) {
                entry.reported();
            }
        }

        @Override
        default boolean isExempt() {
            CancellableEntry entry = of(inner());
            return entry != null && entry.isExempt();
        }
    }

    /**
     * An entry that a bound may drop, oldest first. The pool puts the entry into the injection queue, which is in FIFO
     * order.
     */
    abstract class Droppable implements Wrapper { // a class, since the pool tests each entry for this type
        /** Gives the permit of this entry back to its bound, and returns the task to run. */
        public abstract Runnable start();
    }

    /** Returns {@code task} as an entry, or null if {@code task} is not an entry. */
    static @Nullable CancellableEntry of(Object task) {
        return task instanceof CancellableEntry entry ? entry : null;
    }

    /** Returns the user's object behind the entry {@code task}, or {@code task} itself if it is not an entry. */
    static Object origin(Object task) {
        CancellableEntry entry = of(task);
        return entry == null ? task : entry.origin();
    }

    /** Returns the user's task behind the entry {@code task}, or {@code task} itself if it is not an entry. */
    static Runnable unwrap(Runnable task) {
        CancellableEntry entry = of(task);
        return entry == null ? task : entry.userTask();
    }

    /** Withdraws {@code tasks}, and returns the users' tasks that this call has ended, without internal tasks. */
    static List<Runnable> handBackAll(List<Runnable> tasks) {
        List<Runnable> users = new ArrayList<>(tasks.size());
        for (Runnable task : tasks) {
            CancellableEntry entry = of(task);
            Runnable user = entry == null ? task : entry.handBack();
            if (user != null && !(user instanceof InternalTask)) {
                users.add(user);
            }
        }
        return users;
    }

    /** Notifies {@code task} of its withdrawal, and returns the user's task. */
    static Runnable withdraw(Runnable task) {
        CancellableEntry entry = of(task);
        if (entry == null) {
            return task;
        }
        // D1
        Runnable user = entry.userTask(); // before withdrawn(), which may drop the user's task
        entry.withdrawn();
        return user;
    }
}
