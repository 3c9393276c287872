// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Lane;
import dev.spindle.Spindle;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** The spindles of the kinds under test. They do not report tasks that throw. */
final class Hosts {
    private static final long STEP_NANOS = 50_000;

    private Hosts() {}

    /** Returns a new spindle. */
    static Spindle of(int core, int max) {
        return Spindle.builder()
                .coreThreads(core)
                .maxThreads(max)
                .onFailure((activity, failure) -> {})
                .build();
    }

    /** Returns a new spindle that is ended after the test, for views of it. */
    static Spindle owned(Consumer<ExecutorService> owned) {
        Spindle host = of(2, 8);
        owned.accept(host);
        return host;
    }

    /**
     * Returns a new spindle of one thread with a lane that always has tasks: its task submits itself again until the
     * spindle is shut down after the test.
     */
    static Spindle busy(Consumer<ExecutorService> owned) {
        Spindle host = of(1, 1);
        owned.accept(host);
        Lane lane = host.keyed("keys").at("never dry");
        lane.execute(new Runnable() {
            @Override
            public void run() {
                for (long begin = System.nanoTime(); System.nanoTime() - begin < STEP_NANOS; ) {
                    Thread.onSpinWait();
                }
                if (!host.isShutdown()) {
                    lane.execute(this);
                }
            }
        });
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
