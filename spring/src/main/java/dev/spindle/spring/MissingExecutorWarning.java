// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Warns if Boot has left out its executor because the application has a {@link Spindle} bean of its own. */
final class MissingExecutorWarning implements SmartInitializingSingleton {
    private static final Log LOG = LogFactory.getLog("dev.spindle.spring");

    private final ListableBeanFactory beans;

    MissingExecutorWarning(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        String warning = warning();
        if (warning != null) {
            LOG.warn(warning);
        }
    }

    /** Returns the warning, or null if there is nothing to warn of. */
    @Nullable
    String warning() {
        if (beans.containsBean("applicationTaskExecutor") || !beans.containsBean("threadPoolTaskExecutorBuilder")) {
            return null; // it is there, or Boot does not configure executors at all
        }
        List<String> executors = names(Executor.class);
        List<String> spindles = names(Spindle.class);
        if (spindles.isEmpty() || !spindles.containsAll(executors)) {
            return null; // another executor of the application is the reason
        }
        return "Boot has left out its applicationTaskExecutor, and its task scheduler, because of the beans " + spindles
                + " of the application: describe them by properties, such as spindle.pools." + spindles.get(0)
                + ".max-threads, or set spring.task.execution.mode=force";
    }

    private List<String> names(Class<?> type) {
        return Arrays.asList(beans.getBeanNamesForType(type, true, false));
    }
}
