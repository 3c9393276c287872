// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit extension with a Kafka broker. Tests, constructors and lifecycle methods take it as a parameter of type
 * {@link KafkaBroker}.
 *
 * <p>With {@code @ExtendWith(KafkaExtension.class)} all test classes of the JVM share one broker, which starts when the
 * first of them asks for it and ends after the last. Each test uses {@linkplain #uniqueName topics and groups of its
 * own}. A class that stops or kills its broker, or that needs other properties, has one of its own:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KafkaExtension KAFKA =
 *         KafkaExtension.withOwnBroker(KafkaBroker.builder().property("num.partitions", 8));
 * }</pre>
 */
public final class KafkaExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace SHARED = ExtensionContext.Namespace.create(KafkaExtension.class);
    private static final AtomicLong NAMES = new AtomicLong();

    private final @Nullable KafkaBrokerBuilder ownBuilder;
    private volatile @Nullable KafkaBroker own;
    private String opener = ""; // the context that started the broker; nested classes have contexts of their own

    /** Creates an extension with the broker that all test classes share. */
    public KafkaExtension() {
        this(null);
    }

    private KafkaExtension(@Nullable KafkaBrokerBuilder ownBuilder) {
        this.ownBuilder = ownBuilder;
    }

    /** Returns an extension whose broker runs from the begin of the test class to its end. */
    public static KafkaExtension withOwnBroker(KafkaBrokerBuilder builder) {
        return new KafkaExtension(Objects.requireNonNull(builder, "builder"));
    }

    /** Returns a name for a topic or a group that no other test of this JVM has. */
    public static String uniqueName(String prefix) {
        return prefix + "-" + NAMES.incrementAndGet();
    }

    /**
     * Returns the broker of an extension {@linkplain #withOwnBroker with one of its own}.
     *
     * @throws IllegalStateException if the extension shares its broker, or if its test class does not run
     */
    public KafkaBroker broker() {
        KafkaBroker found = own;
        if (found == null) {
            throw new IllegalStateException("there is no broker of the extension's own at this time; take the shared"
                    + " one as a parameter of type KafkaBroker");
        }
        return found;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (ownBuilder != null && own == null) {
            own = ownBuilder.start();
            opener = context.getUniqueId();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        KafkaBroker ended = own;
        if (ended != null && opener.equals(context.getUniqueId())) {
            own = null;
            ended.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == KafkaBroker.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return ownBuilder != null ? broker() : shared(context);
    }

    private static KafkaBroker shared(ExtensionContext context) {
        return context.getRoot()
                .getStore(SHARED)
                .computeIfAbsent(
                        KafkaBroker.class, // closed with the root
                        unused -> KafkaBroker.builder().start(),
                        KafkaBroker.class);
    }
}
