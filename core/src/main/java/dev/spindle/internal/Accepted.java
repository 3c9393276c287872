// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.List;

/** An accepted task that must be told when it is withdrawn, and that stands for a task of the user's. */
public interface Accepted extends Runnable {
    /** Returns the task that the user handed in. */
    Runnable userTask();

    /** Returns the user's own object that this stands for, whatever it is. */
    default Object origin() {
        return userTask();
    }

    /** Says that the task was withdrawn and will never run. Called once, outside every lock; it may let go of the user's. */
    void withdrawn();

    /** Says that the failure handler was told of the task's failure, and of the task. */
    default void reported() {}

    /** Returns the user's own object, which may be a {@code Callable} or a {@code Supplier}, behind {@code task}. */
    static Object origin(Object task) {
        return task instanceof Accepted a ? a.origin() : task;
    }

    /** Returns the user's own object behind {@code task}. */
    static Runnable unwrap(Runnable task) {
        return task instanceof Accepted a ? a.userTask() : task;
    }

    /** Tells {@code tasks} that they were withdrawn, and leaves the user's own objects in their places. */
    static void withdrawAll(List<Runnable> tasks) {
        tasks.replaceAll(Accepted::withdraw);
        tasks.removeIf(OwnTask.class::isInstance);
    }

    /** Tells {@code task} that it was withdrawn and returns the user's own object. */
    static Runnable withdraw(Runnable task) {
        Runnable user = unwrap(task); // before it lets go of it
        if (task instanceof Accepted a) {
            a.withdrawn();
        }
        return user;
    }
}
