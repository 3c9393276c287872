// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.TestSupport.Collected;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The executors of a test. Closes them after it, and fails it if one does not terminate or a task has failed
 * unexpectedly.
 *
 * @see RegisterExtension
 */
final class Spindles implements AfterEachCallback {
    private final List<Spindle> all = new ArrayList<>();
    private final Collected failures = new Collected();

    /**
     * Returns a builder with default options. With the system property {@code spindle.virtual} its auxiliary threads
     * are virtual threads, so that the same promises are tested on these.
     */
    static SpindleBuilder options() {
        return Spindle.builder().virtualThreads(Boolean.getBoolean("spindle.virtual"));
    }

    /**
     * Returns a builder, for {@link #of}, of an executor with at least two workers that collects failures.
     */
    SpindleBuilder builder() {
        return options().coreThreads(2).maxThreads(8).onFailure(failures);
    }

    /** Builds an executor that is closed after the test. */
    Spindle of(SpindleBuilder builder) {
        Spindle spindle = builder.build();
        all.add(spindle);
        return spindle;
    }

    /** Returns a new executor. */
    Spindle spindle() {
        return of(builder());
    }

    /** Removes and returns the failures of tasks without a future so far, which then do not fail the test. */
    List<Throwable> takeFailures() {
        return failures.take();
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        all.forEach(Spindle::shutdownNow);
        for (Spindle spindle : all) {
            if (!spindle.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new AssertionError(spindle + " did not end");
            }
        }
        failures.rethrow();
    }
}
