// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import dev.spindle.SpindleBuilder;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.core.task.TaskDecorator;

/** The libraries whose context one line of a user carries. */
@SuppressWarnings({"NullAway", "try"}) // the libraries' signatures have no null annotations
enum Library {
    MICROMETER {
        @Override
        void carry(SpindleBuilder builder) {
            ContextSnapshotFactory snapshots =
                    ContextSnapshotFactory.builder().contextRegistry(REGISTRY).build();
            // snippet: context-micrometer
            builder.taskDecorator(task -> snapshots.captureAll().wrap(task));
            // end
        }

        @Override
        void in(String value, Runnable code) {
            withLocal(value, code);
        }

        @Override
        @Nullable
        String now() {
            return LOCAL.get();
        }
    },
    OPENTELEMETRY {
        @Override
        void carry(SpindleBuilder builder) {
            // snippet: context-opentelemetry
            builder.taskDecorator(task -> Context.current().wrap(task));
            // end
        }

        @Override
        void in(String value, Runnable code) {
            try (Scope unused = Context.current().with(KEY, value).makeCurrent()) {
                code.run();
            }
        }

        @Override
        @Nullable
        String now() {
            return Context.current().get(KEY);
        }
    },
    MDC_OF_SLF4J {
        @Override
        void carry(SpindleBuilder builder) {
            // snippet: context-mdc
            builder.taskDecorator(task -> {
                Map<String, String> fields = MDC.getCopyOfContextMap();
                return () -> {
                    MDC.setContextMap(fields == null ? Map.of() : fields);
                    task.run();
                    MDC.clear();
                };
            });
            // end
        }

        @Override
        void in(String value, Runnable code) {
            try (MDC.MDCCloseable unused = MDC.putCloseable("request", value)) {
                code.run();
            }
        }

        @Override
        @Nullable
        String now() {
            return MDC.get("request");
        }
    },
    SPRING {
        @Override
        void carry(SpindleBuilder builder) {
            TaskDecorator decorator = task -> {
                String value = LOCAL.get();
                return () -> withLocal(value, task);
            };
            // snippet: context-spring
            builder.taskDecorator(decorator::decorate);
            // end
        }

        @Override
        void in(String value, Runnable code) {
            withLocal(value, code);
        }

        @Override
        @Nullable
        String now() {
            return LOCAL.get();
        }
    },
    /** {@code ScopedValue} of JDK 25; by reflection, since the tests are compiled for 17. */
    SCOPED_VALUE {
        @Override
        void carry(SpindleBuilder builder) {
            builder.taskDecorator(task -> {
                String value = now();
                return value == null ? task : () -> in(value, task);
            });
        }

        @Override
        void in(String value, Runnable code) {
            Class<?> type = Objects.requireNonNull(SCOPED);
            Object carrier = call(method(type, "where", type, Object.class), null, scoped(), value);
            Object unused = call(method(carrier.getClass(), "run", Runnable.class), carrier, code);
        }

        @Override
        @Nullable
        String now() {
            Class<?> type = Objects.requireNonNull(SCOPED);
            boolean bound = (boolean) call(method(type, "isBound"), scoped());
            return bound ? (String) call(method(type, "get"), scoped()) : null;
        }
    };

    private static final ThreadLocal<@Nullable String> LOCAL = new ThreadLocal<>();
    private static final ContextKey<String> KEY = ContextKey.named("request");
    private static final ContextRegistry REGISTRY = new ContextRegistry().registerThreadLocalAccessor("request", LOCAL);
    private static final @Nullable Class<?> SCOPED = scopedType();
    private static @Nullable Object scopedValue;

    /** Sets the decorator. */
    abstract void carry(SpindleBuilder builder);

    /** Runs {@code code} in a context with {@code value}. */
    abstract void in(String value, Runnable code);

    /** Returns the value of the calling thread's context, or null. */
    abstract @Nullable String now();

    /** Returns whether the running JDK has what the library needs. */
    boolean isThere() {
        return this != SCOPED_VALUE || Runtime.version().feature() >= 25;
    }

    private static void withLocal(@Nullable String value, Runnable code) {
        LOCAL.set(value);
        try {
            code.run();
        } finally {
            LOCAL.remove();
        }
    }

    private static @Nullable Class<?> scopedType() {
        try {
            return Class.forName("java.lang.ScopedValue");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static synchronized Object scoped() {
        if (scopedValue == null) {
            scopedValue = call(method(Objects.requireNonNull(SCOPED), "newInstance"), null);
        }
        return scopedValue;
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new LinkageError(name, e);
        }
    }

    private static Object call(Method method, @Nullable Object on, Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(method.toString(), e);
        }
    }
}
