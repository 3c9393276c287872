// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/**
 * A kind of executor under test.
 *
 * @param name for messages
 * @param concurrency the number of its tasks that can run at once; others wait
 * @param maker creates one
 * @param traits its known freedoms and deviations
 * @param timeout the time after which an event that must come counts as missing
 */
record Subject<E extends Executor>(String name, int concurrency, Maker<E> maker, Set<Trait> traits, Duration timeout) {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Creates an executor, and passes the executors to shut down after the test to {@code owned}. */
    @FunctionalInterface
    interface Maker<E extends Executor> {
        E make(Consumer<ExecutorService> owned);
    }

    /** A kind of executor that owns its threads. */
    @FunctionalInterface
    interface Pool<E extends ExecutorService> {
        E make();
    }

    static <E extends Executor> Subject<E> of(String name, int concurrency, Maker<E> maker, Trait... traits) {
        return new Subject<>(name, concurrency, maker, Set.of(traits), TIMEOUT);
    }

    static <E extends ExecutorService> Subject<E> ofPool(String name, int concurrency, Pool<E> pool, Trait... traits) {
        return of(
                name,
                concurrency,
                owned -> {
                    E made = pool.make();
                    owned.accept(made);
                    return made;
                },
                traits);
    }

    /** Returns the same kind with {@code limit} as its timeout. */
    Subject<E> within(Duration limit) {
        return new Subject<>(name, concurrency, maker, traits, limit);
    }

    E make(Consumer<ExecutorService> owned) {
        return maker.make(owned);
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public String toString() {
        return name;
    }
}
