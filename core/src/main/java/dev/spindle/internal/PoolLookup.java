// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the pool of an executor for the other modules of the library, without a public method. */
public final class PoolLookup {
    private static volatile @Nullable Function<Object, Lifetime> finder;

    private PoolLookup() {}

    /** Sets the function that finds a lifetime; called when the class of all executors is initialized. */
    public static void findBy(Function<Object, Lifetime> found) {
        finder = found;
    }

    /**
     * Returns the lifetime of {@code executor}, a spindle, a strand or a lane; for any other executor, the lifetime of
     * its spindle.
     */
    public static Lifetime lifetime(Object executor) {
        return Objects.requireNonNull(finder, "no executor was made").apply(executor);
    }

    /** Returns the pool of {@code executor}, a spindle, a strand or a logical executor. */
    public static Pool of(Object executor) {
        return Objects.requireNonNull(lifetime(executor).pool());
    }
}
