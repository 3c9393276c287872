// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.Unfinished;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * A pool of the properties, from its build to its end. The end of the application context closes it, after web servers
 * and consumers, which have higher phases, and before the beans that its tasks use are destroyed.
 *
 * <p>A stop of the context that is not its end leaves the pool open, since a spindle cannot be started again.
 */
final class PoolFactoryBean
        implements FactoryBean<Spindle>, ApplicationContextAware, InitializingBean, SmartLifecycle, DisposableBean {
    /**
     * The phase of the end: below that of Spring's own executors (half of the maximum), which are below those of web
     * servers and consumers; far above that of data sources (0). Not measured.
     */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

    /** The number of characters of the report of an end. Not measured. */
    private static final int LONGEST_REPORT = 4_000;

    /** The number of frames of the stack of a task that has not ended. Not measured. */
    private static final int FRAMES = 12;

    private static final Log LOG = LogFactory.getLog("dev.spindle.spring");

    private final String name;
    private final PoolProperties properties;
    private final int phase;
    private final boolean propagateContext;

    // written by the thread that refreshes the application context, before others see this object
    private @Nullable ConfigurableApplicationContext context;
    private @Nullable Spindle spindle;
    private volatile boolean closed;

    PoolFactoryBean(String name, PoolProperties properties, int phase, boolean propagateContext) {
        this.name = name;
        this.properties = properties;
        this.phase = phase;
        this.propagateContext = propagateContext;
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        context = (ConfigurableApplicationContext) applicationContext;
    }

    private ConfigurableApplicationContext context() {
        return Objects.requireNonNull(context, "context");
    }

    @Override
    public void afterPropertiesSet() {
        SpindleBuilder builder = Spindle.builder().name(name);
        boolean virtual =
                context().getEnvironment().getProperty("spring.threads.virtual.enabled", Boolean.class, false);
        properties.applyTo(builder, virtual);
        Contexts.decorate(builder, context(), propagateContext);
        context()
                .getBeanProvider(SpindleCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(name, builder));
        try {
            spindle = builder.build();
        } catch (IllegalArgumentException refused) {
            throw new SpindlePropertyException(
                    SpindleProperties.POOLS + "." + name,
                    ": " + refused.getMessage(),
                    "Change the properties of the pool, or the SpindleCustomizer beans.");
        }
        warnOfAShortPhase();
    }

    private void warnOfAShortPhase() {
        String property = "spring.lifecycle.timeout-per-shutdown-phase";
        String text = context().getEnvironment().getProperty(property, "30s");
        Duration limit = DurationStyle.detectAndParse(text);
        if (properties.timeToClose().compareTo(limit) >= 0) {
            LOG.warn(SpindleProperties.POOLS + "." + name + ".close-timeout is " + properties.timeToClose() + ", but "
                    + property + " is " + limit
                    + ": Spring goes on without the pool after that time; make the close timeout shorter");
        }
    }

    @Override
    public Spindle getObject() {
        Spindle built = spindle;
        if (built == null) {
            throw new IllegalStateException("the pool " + name + " has not been built");
        }
        return built;
    }

    @Override
    public Class<?> getObjectType() {
        return Spindle.class;
    }

    // ---------------------------------------------------------------- lifecycle

    @Override
    public int getPhase() {
        return phase;
    }

    @Override
    public void start() {}

    @Override
    public boolean isRunning() {
        return !closed;
    }

    /** Returns false: Spring 7 pauses the contexts of tests, and a spindle cannot be started again. */
    @SuppressWarnings("MissingOverride") // not in Spring 6
    public boolean isPauseable() {
        return false;
    }

    /** Closes the pool on a thread of its own, so that several pools close at the same time. */
    @Override
    public void stop(Runnable callback) {
        if (!context().isClosed()) {
            callback.run();
            return;
        }
        Thread closer = new Thread(
                () -> {
                    try {
                        close();
                    } finally {
                        callback.run();
                    }
                },
                "spindle-close-" + name);
        closer.start();
    }

    @Override
    public void stop() {
        if (context().isClosed()) {
            close();
        }
    }

    /** Closes the pool unless its phase has: if the context could not be started, there are no phases. */
    @Override
    public void destroy() {
        if (!closed && spindle != null) {
            close();
        }
    }

    private void close() {
        Duration timeout = properties.timeToClose();
        try {
            Unfinished<Runnable> left = getObject().close(timeout);
            if (!left.isEmpty()) {
                LOG.warn("pool " + name + " has not ended within " + timeout + ": " + report(left));
            }
        } finally {
            closed = true;
        }
    }

    private static String report(Unfinished<Runnable> left) {
        String text = left.toString();
        StringBuilder report =
                new StringBuilder(text.length() <= LONGEST_REPORT ? text : text.substring(0, LONGEST_REPORT) + " ...");
        for (Activity activity : left.running()) {
            List<StackTraceElement> stack = activity.stack();
            if (report.length() < 2 * LONGEST_REPORT && !stack.isEmpty()) {
                report.append("\nstack of ").append(activity.owner());
                stack.stream()
                        .limit(FRAMES)
                        .forEach(frame -> report.append("\n    at ").append(frame));
            }
        }
        return report.toString();
    }
}
