// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;

/** An event loop that goes on whatever is thrown in it: by a handler, by what writes the log, or for want of memory. */
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
                failures.note("an event loop", t);
            }
        }
    }
}
