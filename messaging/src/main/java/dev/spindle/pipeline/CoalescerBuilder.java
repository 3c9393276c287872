// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Strand;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a {@link Coalescer}. Not thread-safe; may be used again.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class CoalescerBuilder<K, V> {
    private final Function<String, Strand> strands;
    final BiConsumer<? super K, ? super V> handler;
    String name;
    int maxKeys = 1 << 16;
    int batch = 256;

    @Nullable
    BinaryOperator<V> merge;

    CoalescerBuilder(Function<String, Strand> strands, String name, BiConsumer<? super K, ? super V> handler) {
        this.strands = strands;
        this.name = name;
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    /** Sets the name, which is used in messages. By default the name of the strand, or {@code coalescer}. */
    public CoalescerBuilder<K, V> name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets how many keys may be pending, and approximately how many are remembered. By default 65,536.
     *
     * @throws IllegalArgumentException if {@code keys} is below 1
     */
    public CoalescerBuilder<K, V> maxKeys(int keys) {
        this.maxKeys = requirePositive("maxKeys", keys);
        return this;
    }

    /**
     * Sets the function that merges an undelivered value, its first argument, with a newer value of the same key. By
     * default the newer value replaces the older value.
     *
     * <p>The function runs in the thread of the newer offer. It may run more than once for one offer, if another thread
     * is faster, so it must not change its arguments. If the newer value had to wait for room, it may run on a worker;
     * senders behind that value wait until it returns, so it must not wait for one of them.
     */
    public CoalescerBuilder<K, V> merge(BinaryOperator<V> function) {
        this.merge = Objects.requireNonNull(function, "merge");
        return this;
    }

    /**
     * Sets how many values are delivered before other work of the strand and of the spindle may run. By default 256, or
     * as many as take 50 µs.
     *
     * @throws IllegalArgumentException if {@code values} is below 1
     */
    public CoalescerBuilder<K, V> batch(int values) {
        this.batch = requirePositive("batch", values);
        return this;
    }

    private static int requirePositive(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, is " + value);
        }
        return value;
    }

    /** Returns a new coalescer. Starts no thread. */
    public Coalescer<K, V> build() {
        return new Coalescer<>(this, strands.apply(name));
    }
}
