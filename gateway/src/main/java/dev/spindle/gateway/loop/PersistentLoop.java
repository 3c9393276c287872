// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;

/**
 * An event loop that continues after any throwable: from a handler, from the logging of a failure, or from a lack of
 * memory.
 *
 * <p>Netty's loop ends with the first Error that reaches its {@code run}, which would leave its connections open
 * without a thread. This loop logs the failure and continues; it ends when its group is shut down.
 */
final class PersistentLoop extends SingleThreadIoEventLoop {
    private final FailureLog failures;

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
}
