// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.NanoClock;
import dev.spindle.gateway.config.Limits;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** What the connections of one event loop share. Confined to that loop, but for the final fields. */
final class Loop {
    private static final Duration LINGER = Duration.ofSeconds(2);

    final EventLoop executor;
    final int index;
    final Timeouts idle;
    final Timeouts head;
    final Timeouts body;
    final Timeouts write;
    final Timeouts linger;
    /** Those that are open, for a drain. */
    final Set<Drainable> connections = new HashSet<>();
    /** Whether a connection without a request is closed at once. */
    boolean closesIdle;

    Loop(EventLoop executor, int index, NanoClock clock, Limits limits) {
        this.executor = executor;
        this.index = index;
        idle = new Timeouts(executor, clock, limits.idleTime());
        head = new Timeouts(executor, clock, limits.headTime());
        body = new Timeouts(executor, clock, limits.bodyTime());
        write = new Timeouts(executor, clock, limits.writeTime());
        linger = new Timeouts(executor, clock, LINGER);
    }

    /** Runs {@code action} on the loop: now, if this is its thread. Returns false if the loop has ended. */
    boolean run(Runnable action) {
        if (executor.inEventLoop()) {
            action.run();
            return true;
        }
        try {
            executor.execute(action);
            return true;
        } catch (java.util.concurrent.RejectedExecutionException e) {
            return false;
        }
    }

    /** A connection, to a drain. */
    interface Drainable {
        /** Closes it as soon as nothing is under way. */
        void drain();

        /** Returns whether a request is under way. */
        boolean isBusy();

        /** Closes it now. */
        void cutOff();
    }
}
