// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import dev.spindle.gateway.config.Limits;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * An event loop with the state that its connections share: time limits, and the set of open connections.
 *
 * <p>All members are confined to the thread of the loop, except {@link #run}, {@link #executor} and {@link #index},
 * which any thread may use.
 */
public final class ConnectionLoop {
    /** The time for which the input of a connection is discarded before it is closed. Not measured. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    /** The thread of the loop. */
    public final EventLoop executor;
    /** The number of the loop among the loops of the gateway, from 0. */
    public final int index;
    /** The time without a request after which a connection is closed. */
    public final Timeouts idle;
    /** The time limit of a head, from its first byte. */
    public final Timeouts head;
    /** The time limit of the next piece of a body. */
    public final Timeouts body;
    /** The time for which a client may take none of the bytes that wait for it. */
    public final Timeouts write;
    /** The time for which the input of a connection is discarded before it is closed. */
    public final Timeouts linger;
    /** The open connections. A connection adds itself with its first handler and removes itself when it is closed. */
    public final Set<Drainable> connections = new HashSet<>();

    private final LoopClock clock;
    /** True if a drain has reached this loop, so that a connection without a request is closed at once. */
    public boolean closesIdle;

    /** Creates the limits of a loop. May be called by any thread before the loop has connections. */
    public ConnectionLoop(EventLoop executor, int index, LongSupplier time, Limits limits) {
        this.executor = executor;
        this.index = index;
        clock = new LoopClock(time);
        if (executor instanceof PersistentLoop loop) {
            loop.reads(clock);
        }
        idle = new Timeouts(executor, clock, limits.idleTime());
        head = new Timeouts(executor, clock, limits.headTime());
        body = new Timeouts(executor, clock, limits.bodyTime());
        write = new Timeouts(executor, clock, limits.writeTime());
        linger = new Timeouts(executor, clock, LINGER);
    }

    /** Returns the clock of the loop, which is read once for all that the loop does between two waits. */
    public LongSupplier clock() {
        return clock;
    }

    /** Reads the clock again at the head of a message, so that the duration of a request is exact. */
    public void atHead() {
        clock.forget();
    }

    /**
     * Runs {@code action} on the loop: before this method returns if the caller is the loop's thread, otherwise later.
     *
     * @return false if the loop has ended; the action then does not run
     */
    public boolean run(Runnable action) {
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

    /** A connection that a drain can close. All methods are called on the loop of the connection. */
    public interface Drainable {
        /** Closes the connection as soon as no request is under way. */
        void drain();

        /** Returns whether a request is under way. */
        boolean isBusy();

        /** Closes the connection now. */
        void cutOff();
    }
}
