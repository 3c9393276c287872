// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An event loop that continues after any throwable, such as an OutOfMemoryError.
 *
 * <p>Netty's loop ends when an Error reaches its {@code run}, and its connections then stay open without a thread. This
 * loop logs the throwable and continues until its group is shut down.
 */
final class PersistentLoop extends SingleThreadIoEventLoop {
    private final FailureLog failures;
    /** The clock that is read again after each wait; null if there is none. Set before the loop has connections. */
    private volatile @Nullable LoopClock clock;

    PersistentLoop(IoEventLoopGroup group, Executor executor, IoHandlerFactory handlers, FailureLog failures) {
        super(group, executor, handlers);
        this.failures = failures;
    }

    @Override
    protected void run() {
        boolean ended = false;
        while (!ended) {
            try {
                super.run();
                ended = true;
            } catch (Throwable t) {
                failures.note("an event loop", t); // H1
            }
        }
    }

    /** Sets the clock of this loop. */
    void reads(LoopClock of) {
        clock = of;
    }

    @Override
    protected int runIo() {
        LoopClock of = clock;
        if (of != null) {
            of.forget(); // LoopClock-1
        }
        return super.runIo();
    }
}
