// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The properties of this module. They are read before there are beans, since each pool becomes a bean, and strictly: a
 * property that does not exist is refused, and so is a pool with two spellings.
 *
 * @param pools the pools by name
 * @param replaceTaskExecutor whether a pool takes the place of Boot's task executor and task scheduler
 * @param taskExecutorPool the pool that does, if there are several
 * @param phase the phase of the end of the pools
 * @param propagateContext whether tasks run in the context of their submit
 */
@ConfigurationProperties(SpindleProperties.PREFIX)
record SpindleProperties(
        Map<String, PoolProperties> pools,
        boolean replaceTaskExecutor,
        @Nullable String taskExecutorPool,
        int phase,
        boolean propagateContext) {
    static final String PREFIX = "spindle";

    /** The prefix of the properties of all pools. */
    static final String POOLS = PREFIX + ".pools";

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(PREFIX);
    private static final ConfigurationPropertyName ALL_POOLS = ConfigurationPropertyName.of(POOLS);

    /** The properties of the module itself. */
    record Global(
            @DefaultValue("false") boolean replaceTaskExecutor,
            @Nullable String taskExecutorPool,
            @Nullable Integer phase,
            @DefaultValue("true") boolean propagateContext) {}

    /**
     * Reads the properties.
     *
     * @throws SpindlePropertyException if one does not exist or has a value that is refused
     */
    static SpindleProperties read(Environment environment) {
        Map<String, ConfigurationPropertyName> names = new Names().read(environment);
        Binder binder = Binder.get(environment);
        boolean virtual =
                binder.bind("spring.threads.virtual.enabled", Boolean.class).orElse(false);
        Map<String, PoolProperties> pools = new LinkedHashMap<>();
        names.forEach((name, prefix) -> {
            PoolProperties pool = isEmptyNode(environment, prefix)
                    ? PoolProperties.none()
                    : binder.bind(prefix, Bindable.of(PoolProperties.class)).orElseGet(PoolProperties::none);
            try {
                pool.applyTo(Spindle.builder(), virtual);
            } catch (SpindlePropertyException refused) {
                throw refused.at(POOLS + "." + name + ".", origin(environment, prefix.append(refused.property())));
            }
            pools.put(name, pool);
        });
        Global global = binder.bindOrCreate(PREFIX, Bindable.of(Global.class));
        return new SpindleProperties(
                pools,
                global.replaceTaskExecutor(),
                global.taskExecutorPool(),
                global.phase() == null ? PoolFactoryBean.PHASE : global.phase(),
                global.propagateContext());
    }

    /** Returns the kebab-case names of the properties that a pool may have. */
    static List<String> ofPool() {
        return names(PoolProperties.class);
    }

    /** Returns the kebab-case names of the properties of the module itself. */
    static List<String> ofModule() {
        return names(Global.class);
    }

    private static List<String> names(Class<? extends Record> type) {
        return Arrays.stream(Objects.requireNonNull(type.getRecordComponents(), "a record"))
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns true if {@code prefix} has no property below it, such as {@code orders:} in YAML. */
    private static boolean isEmptyNode(Environment environment, ConfigurationPropertyName prefix) {
        return sources(environment).stream()
                .flatMap(IterableConfigurationPropertySource::stream)
                .noneMatch(prefix::isAncestorOf);
    }

    private static @Nullable Origin origin(Environment environment, ConfigurationPropertyName name) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            var property = source.getConfigurationProperty(name);
            if (property != null) {
                return property.getOrigin();
            }
        }
        return null;
    }

    private static List<IterableConfigurationPropertySource> sources(Environment environment) {
        List<IterableConfigurationPropertySource> found = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                found.add(iterable);
            }
        }
        return found;
    }

    private static boolean isOfSystemEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && underlying.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    }

    /** The names of the properties that are set. */
    private static final class Names {
        private final Map<String, ConfigurationPropertyName> pools = new LinkedHashMap<>();
        private final Map<String, String> spellings = new TreeMap<>(); // by the uniform form of the name

        Map<String, ConfigurationPropertyName> read(Environment environment) {
            // Variables of the system's environment have no dashes; they refer to the pools of the other sources.
            List<IterableConfigurationPropertySource> all = sources(environment);
            for (boolean variables : new boolean[] {false, true}) {
                for (IterableConfigurationPropertySource source : all) {
                    if (isOfSystemEnvironment(source) == variables) {
                        source.stream().filter(ROOT::isAncestorOf).forEach(name -> check(source, name, variables));
                    }
                }
            }
            return pools;
        }

        private void check(ConfigurationPropertySource source, ConfigurationPropertyName name, boolean isVariable) {
            var property = source.getConfigurationProperty(name);
            Object origin = property == null ? null : property.getOrigin();
            if (!ALL_POOLS.isAncestorOf(name)) {
                if (!isVariable && !name.equals(ALL_POOLS)) { // the platform sets variables such as SPINDLE_PORT
                    requireKnown(name, 1, ofModule(), origin, PREFIX, false);
                }
                return;
            }
            String pool = name.getElement(2, Form.ORIGINAL);
            String spelling = spellings.putIfAbsent(name.getElement(2, Form.UNIFORM), pool);
            if (spelling == null) {
                pools.put(pool, name.chop(3));
            } else if (!spelling.equals(pool) && !isVariable) {
                throw new SpindlePropertyException(
                        POOLS + "." + pool,
                        place(origin) + ": the pool is named twice, since " + POOLS + "." + spelling
                                + " is the same name",
                        "Use one spelling, or another name for the second pool.");
            }
            if (name.getNumberOfElements() > 3) {
                requireKnown(name, 3, ofPool(), origin, POOLS + "." + pool, isVariable);
            } else if (property != null && !String.valueOf(property.getValue()).isBlank()) {
                throw new SpindlePropertyException(
                        POOLS + "." + pool,
                        place(origin) + ": a pool has properties and no value of its own",
                        "Set one of its properties, such as " + POOLS + "." + pool + ".max-threads.");
            }
        }

        private static void requireKnown(
                ConfigurationPropertyName name,
                int from,
                List<String> known,
                @Nullable Object origin,
                String prefix,
                boolean isVariable) {
            StringBuilder uniform = new StringBuilder();
            StringBuilder original = new StringBuilder();
            for (int i = from; i < name.getNumberOfElements(); i++) {
                uniform.append(name.getElement(i, Form.UNIFORM));
                original.append('.').append(name.getElement(i, Form.ORIGINAL));
            }
            boolean isOne = isVariable || name.getNumberOfElements() == from + 1; // MAX_THREADS is two elements
            if (!isOne || known.stream().noneMatch(one -> one.replace("-", "").contentEquals(uniform))) {
                String nearest = Spelling.nearest(original.substring(1), known);
                throw new SpindlePropertyException(
                        prefix + original,
                        place(origin) + ": there is no such property",
                        (nearest == null ? "" : "Did you mean " + prefix + "." + nearest + "? ") + "The properties of "
                                + prefix + " are " + String.join(", ", known)
                                + (prefix.equals(PREFIX) ? ", and pools.<name>.*" : "") + ".");
            }
        }

        private static String place(@Nullable Object origin) {
            return origin == null ? "" : " (" + origin + ")";
        }
    }
}
