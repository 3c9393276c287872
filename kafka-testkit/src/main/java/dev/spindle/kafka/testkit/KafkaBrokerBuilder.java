// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builder for a {@link KafkaBroker}. Not thread-safe. */
public final class KafkaBrokerBuilder {
    /** With a heap below this, in MiB, the broker fails with an OutOfMemoryError. Measured with Kafka 4.3.1. */
    private static final int LEAST_HEAP = 64;

    private final Map<String, String> properties = new TreeMap<>();
    private int heapMegabytes = 192;
    private Duration startLimit = Duration.ofMinutes(2);
    private List<String> jvmArguments = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private @Nullable String classPath;

    KafkaBrokerBuilder() {}

    /**
     * Sets a property of the broker's {@code server.properties}. Listeners, ports, roles and directories belong to the
     * {@link KafkaBroker}.
     *
     * @throws IllegalArgumentException if the property is one of those
     */
    public KafkaBrokerBuilder property(String name, Object value) {
        if (KafkaBroker.OWN_PROPERTIES.contains(name)) {
            throw new IllegalArgumentException("the broker sets the property " + name + " itself; leave it out");
        }
        properties.put(name, String.valueOf(Objects.requireNonNull(value, name)));
        return this;
    }

    /**
     * Sets the maximum of the broker's heap in MiB. The default is 192.
     *
     * @throws IllegalArgumentException if {@code megabytes} is less than 64
     */
    public KafkaBrokerBuilder heap(int megabytes) {
        if (megabytes < LEAST_HEAP) {
            throw new IllegalArgumentException("a broker needs a heap of " + LEAST_HEAP + " MiB, not " + megabytes);
        }
        heapMegabytes = megabytes;
        return this;
    }

    /**
     * Sets how long a start may take before it fails. The default is two minutes: an idle machine takes about five
     * seconds, and one with ten times as much work as processors has taken more than one minute.
     *
     * @throws IllegalArgumentException if {@code limit} is not positive
     */
    public KafkaBrokerBuilder startLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("startLimit must be positive, is " + limit);
        }
        startLimit = limit;
        return this;
    }

    /**
     * Sets further arguments of the broker's JVM. By default it has a serial collector and no second compiler, which
     * starts in the least processor time; a broker that is part of a benchmark takes {@code jvmArguments()}.
     */
    public KafkaBrokerBuilder jvmArguments(String... arguments) {
        jvmArguments = List.of(arguments);
        return this;
    }

    /** Sets the class path of the broker's JVM, with another version of Kafka. The default is that of this JVM. */
    public KafkaBrokerBuilder classPath(String path) {
        classPath = Objects.requireNonNull(path, "path");
        return this;
    }

    /** Returns a broker that is not started yet; its address is already known. */
    public KafkaBroker build() {
        return new KafkaBroker(
                properties,
                heapMegabytes,
                startLimit,
                jvmArguments,
                classPath == null ? BrokerProcess.ownClassPath() : classPath);
    }

    /**
     * Returns a broker that is started.
     *
     * @throws IllegalStateException if the broker does not start within the limit
     */
    public KafkaBroker start() {
        KafkaBroker broker = build();
        try {
            broker.start();
        } catch (RuntimeException | Error e) {
            broker.close();
            throw e;
        }
        return broker;
    }
}
