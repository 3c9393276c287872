// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.OnFull;
import dev.spindle.SpindleBuilder;
import dev.spindle.WaitStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a pool. Each has the name of an option of {@link SpindleBuilder}; null leaves the default of the
 * builder.
 *
 * @param coreThreads the number of threads that do not end while they are idle; the number of processors
 * @param maxThreads the largest number of threads; 8 for each core thread, but at least 64, or 10,000 with virtual ones
 * @param growCoreAfter after how many growth episodes the core grows by a thread; 10, and 0 for never
 * @param keepAlive how long an idle thread beyond the core is kept; 10 s
 * @param keyKeepAlive how long the lane of an idle key is kept; 1 s
 * @param closeTimeout how long the end of the application waits for the tasks of the pool; 20 s
 * @param capacity the largest number of tasks that wait in the pool; no bound
 * @param onFull what a submit does at the capacity: reject, block or drop-oldest; reject
 * @param onFullLimit how long a submit waits for room with on-full=block; no default
 * @param virtualThreads whether threads beyond the core are virtual; as spring.threads.virtual.enabled, from JDK 21 on
 * @param waitStrategy what a worker without work does: park, yield or spin; park
 * @param stuckAfter after which time work is reported as stuck; 30 s, and 0 for never
 * @param keyInThreadName whether the name of a thread has the key that it runs; false
 * @param sampleOneIn of how many tasks one is measured for the timers; 128, and 0 for none
 */
record PoolProperties(
        @Nullable Integer coreThreads,
        @Nullable Integer maxThreads,
        @Nullable Integer growCoreAfter,
        @Nullable Duration keepAlive,
        @Nullable Duration keyKeepAlive,
        @Nullable Duration closeTimeout,
        @Nullable Integer capacity,
        @Nullable Policy onFull,
        @Nullable Duration onFullLimit,
        @Nullable Boolean virtualThreads,
        @Nullable WaitStrategy waitStrategy,
        @Nullable Duration stuckAfter,
        @Nullable Boolean keyInThreadName,
        @Nullable Integer sampleOneIn) {
    /** The close timeout unless it is set; Spring gives a phase of the shutdown 30 s. Not measured. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    /** The policies of {@link OnFull} that a whole spindle supports. */
    enum Policy {
        REJECT,
        BLOCK,
        DROP_OLDEST
    }

    /** The properties of a pool of which nothing but the name is said. */
    static PoolProperties none() {
        return new PoolProperties(null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /** Returns how long the end of the application waits for the tasks of the pool. */
    Duration timeToClose() {
        return closeTimeout == null ? CLOSE_TIMEOUT : closeTimeout;
    }

    /**
     * Sets the options of {@code builder}.
     *
     * @param virtual whether the application asks for virtual threads in general
     * @throws SpindlePropertyException if a value is refused; it has the name of the property
     */
    void applyTo(SpindleBuilder builder, boolean virtual) {
        set("core-threads", coreThreads, builder::coreThreads);
        set("max-threads", maxThreads, builder::maxThreads);
        set("grow-core-after", growCoreAfter, builder::growCoreAfter);
        set("keep-alive", keepAlive, builder::keepAlive);
        set("key-keep-alive", keyKeepAlive, builder::keyKeepAlive);
        set("close-timeout", timeToClose(), builder::closeTimeout);
        set("virtual-threads", virtualThreads, PoolProperties::requireVirtualThreads);
        set(
                "virtual-threads",
                virtualThreads == null ? virtual && haveVirtualThreads() : virtualThreads,
                builder::virtualThreads);
        set("wait-strategy", waitStrategy, builder::waitStrategy);
        set("stuck-after", stuckAfter, builder::stuckAfter);
        set("key-in-thread-name", keyInThreadName, builder::keyInThreadName);
        set("sample-one-in", sampleOneIn, builder::sampleOneIn);
        applyCapacity(builder);
    }

    private static boolean haveVirtualThreads() {
        return Runtime.version().feature() >= 21;
    }

    private static boolean requireVirtualThreads(boolean virtual) {
        if (virtual && !haveVirtualThreads()) {
            throw new IllegalArgumentException("virtual threads require JDK 21 or newer, this is JDK "
                    + Runtime.version() + ": remove the property, or run on a newer JDK");
        }
        return virtual;
    }

    private void applyCapacity(SpindleBuilder builder) {
        if (capacity == null && onFull != null) {
            throw new SpindlePropertyException("on-full", onFull, "it needs a bound: set capacity too");
        }
        if (onFullLimit != null && onFull != Policy.BLOCK) {
            throw new SpindlePropertyException("on-full-limit", onFullLimit, "it is the limit of on-full=block alone");
        }
        if (onFull == Policy.BLOCK && onFullLimit == null) {
            throw new SpindlePropertyException(
                    "on-full", onFull, "it needs the longest wait of a submitter: set on-full-limit, such as 1s");
        }
        set("on-full-limit", onFullLimit, OnFull::block);
        set("capacity", capacity, tasks -> builder.capacity(tasks, policy()));
    }

    private OnFull policy() {
        if (onFull == null || onFull == Policy.REJECT) {
            return OnFull.reject();
        }
        return onFullLimit == null ? OnFull.dropOldest() : OnFull.block(onFullLimit);
    }

    private static <T> void set(String property, @Nullable T value, Setter<T> setter) {
        if (value != null) {
            try {
                Object unused = setter.set(value);
            } catch (IllegalArgumentException refused) {
                throw new SpindlePropertyException(property, value, refused.getMessage());
            }
        }
    }

    @FunctionalInterface
    private interface Setter<T> {
        Object set(T value);
    }
}
