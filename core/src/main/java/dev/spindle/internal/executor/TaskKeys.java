// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.CoalescingTask;
import dev.spindle.SequentialTask;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes tasks that carry a key from plain tasks. Every submit makes this distinction, and nearly all tasks are
 * plain. On JDKs before 23, a failing test for an interface searches all interfaces of the class. The search takes as
 * long as the rest of a submit. So a {@link ClassValue} caches the answer for each class. The answer is a
 * {@code Boolean}, so the cache keeps no class loader reachable.
 */
public final class TaskKeys {
    private static final ClassValue<Boolean> TAGGED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return SequentialTask.class.isAssignableFrom(type) || CoalescingTask.class.isAssignableFrom(type);
        }
    };

    private TaskKeys() {}

    /** Returns true if {@code task} is a {@link SequentialTask} or a {@link CoalescingTask}. */
    public static boolean carriesKey(Object task) {
        return TAGGED.get(task.getClass());
    }

    /** Returns the key of a task that carries one. */
    public static Object key(Object task) {
        Object key = task instanceof SequentialTask sequential ? sequential.key() : ((CoalescingTask) task).key();
        return Objects.requireNonNull(key, "key");
    }

    /**
     * Returns true if a newer task of the same key supersedes {@code task}. A {@link SequentialTask} is never
     * superseded.
     */
    public static boolean isCoalescing(@Nullable Object task) {
        return task instanceof CoalescingTask && !(task instanceof SequentialTask);
    }
}
