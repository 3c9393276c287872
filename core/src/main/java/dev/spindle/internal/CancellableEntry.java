// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.List;

/** An accepted task that wraps a task of the user's and is notified when it is withdrawn. */
public interface CancellableEntry extends Runnable {
    /** Returns the task that the user handed in. */
    Runnable userTask();

    /** Returns the user's own object that this stands for, whatever it is. */
    default Object origin() {
        return userTask();
    }

    /** Called once, outside every lock, when the task was withdrawn and will never run; may drop the user's task. */
    void withdrawn();

    /** Called when the task's failure has been reported to the failure handler. */
    default void reported() {}

    /** Returns the user's own object, which may be a {@code Callable} or a {@code Supplier}, behind {@code task}. */
    static Object origin(Object task) {
        return task instanceof CancellableEntry a ? a.origin() : task;
    }

    /** Returns the user's own object behind {@code task}. */
    static Runnable unwrap(Runnable task) {
        return task instanceof CancellableEntry a ? a.userTask() : task;
    }

    /** Notifies {@code tasks} that they were withdrawn, and replaces them by the user's own objects. */
    static void withdrawAll(List<Runnable> tasks) {
        tasks.replaceAll(CancellableEntry::withdraw);
        tasks.removeIf(InternalTask.class::isInstance);
    }

    /** Notifies {@code task} that it was withdrawn and returns the user's own object. */
    static Runnable withdraw(Runnable task) {
        Runnable user = unwrap(task); // before it lets go of it
        if (task instanceof CancellableEntry a) {
            a.withdrawn();
        }
        return user;
    }
}
