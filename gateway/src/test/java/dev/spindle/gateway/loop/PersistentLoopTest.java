// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Limits;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event loop continues after whatever is thrown in it. */
@Timeout(60)
class PersistentLoopTest {
    /** An I/O handler that throws an Error at every second run. */
    private record Failing(IoHandler handler, AtomicInteger failures, AtomicInteger runs) implements IoHandler {
        @Override
        public int run(IoHandlerContext context) {
            if (runs.incrementAndGet() % 2 == 0) {
                failures.incrementAndGet();
                throw new NoClassDefFoundError("of the test");
            }
            return handler.run(context);
        }

        @Override
        public void prepareToDestroy() {
            handler.prepareToDestroy();
        }

        @Override
        public void destroy() {
            handler.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return handler.register(handle);
        }

        @Override
        public void wakeup() {
            handler.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            return handler.isCompatible(handleType);
        }
    }

    @Test
    void run_thatThrowsErrors_goesOnWithTasksAndTimersAndEnds() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        IoHandlerFactory failing = (ThreadAwareExecutor executor) ->
                new Failing(NioIoHandler.newFactory().newHandler(executor), failures, new AtomicInteger());
        IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        PersistentLoop loop = new PersistentLoop(
                group, new ThreadPerTaskExecutor(new DefaultThreadFactory("failing-loop")), failing, new FailureLog());
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            loop.execute(() -> ran.complete(true));
            assertThat(ran.get(10, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Boolean> fired = new CompletableFuture<>();
            var unused = loop.schedule(() -> fired.complete(true), 1, TimeUnit.MILLISECONDS);
            assertThat(fired.get(10, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(failures.get()).isPositive();
        assertThat(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS))
                .isTrue();
        var unusedAsWell = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void clock_afterAWait_isReadAgain() throws Exception {
        AtomicLong time = new AtomicLong();
        MultiThreadIoEventLoopGroup group;
        try (Transport transport = new Transport()) {
            group = transport.loops(1, new DefaultThreadFactory("loop"));
            ConnectionLoop loop = new ConnectionLoop(
                    group.next(), 0, time::incrementAndGet, Limits.builder().build());
            long[] first = group.submit(() ->
                            new long[] {loop.clock().getAsLong(), loop.clock().getAsLong()})
                    .get(10, TimeUnit.SECONDS);
            assertThat(first[0]).isEqualTo(first[1]);

            long[] atHead = group.submit(() -> {
                        long before = loop.clock().getAsLong();
                        loop.atHead();
                        return new long[] {before, loop.clock().getAsLong()};
                    })
                    .get(10, TimeUnit.SECONDS);
            assertThat(atHead[0]).isLessThan(atHead[1]);

            long last = atHead[1];
            while (last == atHead[1]) { // until the loop has waited between two tasks
                last = group.submit(() -> loop.clock().getAsLong()).get(10, TimeUnit.SECONDS);
            }
            assertThat(last).isGreaterThan(atHead[1]);
        } // the test ends by its timeout if the clock is not read again
        assertThat(group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS))
                .isTrue();
    }
}
