// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.SpindleBuilder;
import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;

/** The contexts, such as a trace, that tasks take over from the thread that submits them. */
final class Contexts {
    private static final boolean HAS_LIBRARY =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshot", Contexts.class.getClassLoader());

    private Contexts() {}

    /**
     * Sets the task decorator: the {@link TaskDecorator} beans of the application, the first outermost, as Boot sets
     * them for its own executor. If there is none, and Micrometer's library context-propagation is on the class path,
     * that of this library, unless {@code propagates} is false.
     */
    static void decorate(SpindleBuilder builder, ApplicationContext context, boolean propagates) {
        List<TaskDecorator> decorators =
                context.getBeanProvider(TaskDecorator.class).orderedStream().toList();
        if (!decorators.isEmpty()) {
            builder.taskDecorator(task -> {
                Runnable decorated = task;
                for (int i = decorators.size() - 1; i >= 0; i--) {
                    decorated = decorators.get(i).decorate(decorated);
                }
                return decorated;
            });
        } else if (propagates && HAS_LIBRARY) {
            builder.taskDecorator(new ContextPropagatingTaskDecorator()::decorate);
        }
    }
}
