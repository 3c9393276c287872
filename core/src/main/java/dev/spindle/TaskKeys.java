// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes tasks that carry a key from plain ones. Asked for each submit, of tasks of many classes, nearly all of
 * them plain: to ask {@code instanceof} for an interface that a class does not have makes JVMs before 23 search the
 * list of those that it has, which takes as long as the rest of a submit. The answer for a class is kept with the
 * class; it is an object of the JDK alone, so it keeps no class loader alive.
 */
final class TaskKeys {
    private static final ClassValue<Boolean> TAGGED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return SequentialTask.class.isAssignableFrom(type) || CoalescingTask.class.isAssignableFrom(type);
        }
    };

    private TaskKeys() {}

    /** Returns whether {@code task} is a {@link SequentialTask} or a {@link CoalescingTask}. */
    static boolean carriesKey(Object task) {
        return TAGGED.get(task.getClass());
    }

    /** Returns the key of a task that carries one. */
    static Object key(Object task) {
        Object key = task instanceof SequentialTask sequential ? sequential.key() : ((CoalescingTask) task).key();
        return Objects.requireNonNull(key, "key");
    }

    /** Returns whether {@code task} gives way to a newer one of its key: not if it is sequential too. */
    static boolean isCoalescing(@Nullable Object task) {
        return task instanceof CoalescingTask && !(task instanceof SequentialTask);
    }
}
