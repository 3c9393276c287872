// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Spindle;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** What the kinds under test stand on. All of it is silent about tasks that throw. */
final class Hosts {
    private Hosts() {}

    /** Returns a new spindle. */
    static Spindle of(int core, int max) {
        return Spindle.builder()
                .core(core)
                .max(max)
                .onFailure((key, task, failure) -> {})
                .build();
    }

    /** Returns a new spindle that is ended after the test, for views that are tested. */
    static Spindle owned(Consumer<ExecutorService> owned) {
        Spindle host = of(2, 8);
        owned.accept(host);
        return host;
    }

    static ThreadFactory quietThreads() {
        return task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((of, failure) -> {});
            return thread;
        };
    }
}
