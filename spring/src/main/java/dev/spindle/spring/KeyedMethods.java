// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The {@link KeyedAsync} methods of the beans of an application. Thread-safe. */
final class KeyedMethods {
    private final Map<Method, KeyedMethod> all = new ConcurrentHashMap<>();
    private final Map<KeyedMethod, Keyed<Object>> spaces = new ConcurrentHashMap<>();
    private volatile @Nullable BeanFactory beans;
    private volatile boolean complete; // all singletons exist, so pools do

    void setBeanFactory(BeanFactory beanFactory) {
        beans = beanFactory;
    }

    BeanFactory beans() {
        return Objects.requireNonNull(beans, "beans");
    }

    static @Nullable KeyedAsync annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, KeyedAsync.class);
    }

    /**
     * Checks the methods of a class.
     *
     * @throws IllegalStateException if a method cannot be what its annotation says
     */
    void check(Class<?> target) {
        for (Method method : MethodIntrospector.selectMethods(target, KeyedMethods::isAnnotated)) {
            KeyedMethod found = of(method);
            if (complete) {
                Keyed<Object> unused = keys(found);
            }
        }
    }

    private static boolean isAnnotated(Method method) {
        return annotation(method) != null;
    }

    /**
     * Makes the pools of all methods that were checked.
     *
     * @throws IllegalStateException if there is none
     */
    void requirePools() {
        complete = true;
        for (KeyedMethod method : all.values()) {
            Keyed<Object> unused = keys(method);
        }
    }

    /** Returns the description of a method of a target's class. */
    KeyedMethod of(Method method) {
        KeyedMethod known = all.get(method);
        return known != null ? known : all.computeIfAbsent(method, KeyedMethod::new);
    }

    /** Returns the key space of a method. */
    Keyed<Object> keys(KeyedMethod method) {
        Keyed<Object> known = spaces.get(method);
        if (known == null) {
            known = pool(method).keyed(method.space());
            spaces.put(method, known);
        }
        return known;
    }

    private Spindle pool(KeyedMethod method) {
        BeanFactory factory = beans();
        String name = method.pool();
        if (factory instanceof ConfigurableBeanFactory configurable) {
            String resolved = configurable.resolveEmbeddedValue(name);
            name = resolved == null ? "" : resolved;
        }
        if (name.isEmpty()) {
            Spindle only = factory.getBeanProvider(Spindle.class).getIfUnique();
            if (only == null) {
                Set<String> names = names();
                throw method.refused(
                        names.isEmpty()
                                ? "there is no pool: set a property of one, such as spindle.pools.main.max-threads"
                                : "there are several pools, " + names + ": name one, as in pool = \""
                                        + names.iterator().next() + "\"");
            }
            return only;
        }
        if (!factory.containsBean(name) || !factory.isTypeMatch(name, Spindle.class)) {
            throw method.refused(
                    "there is no pool " + name + "; the pools are " + names() + ": set a property of it, such as "
                            + SpindleProperties.POOLS + "." + name + ".max-threads, or name another");
        }
        return factory.getBean(name, Spindle.class);
    }

    private Set<String> names() {
        return beans() instanceof ListableBeanFactory listable
                ? new TreeSet<>(Set.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(listable, Spindle.class)))
                : Set.of();
    }
}
