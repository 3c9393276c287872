// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The interrupt that a close sends to the handler of an actor (ActorBase-1). */
@Timeout(60)
class ActorInterruptTest {
    private final CountDownLatch sending = new CountDownLatch(1);
    private final CountDownLatch send = new CountDownLatch(1);

    /** A thread whose interrupt is slow. */
    private final class Slow extends Thread {
        Slow(Runnable body) {
            super(body);
        }

        @Override
        public void interrupt() {
            sending.countDown();
            await(send);
            super.interrupt();
        }
    }

    @Test
    void f2_interruptThatIsSentAsTheTurnEnds_reachesNoOtherTask() throws Exception {
        try (Spindle spindle = Spindle.builder()
                .coreThreads(1)
                .maxThreads(1)
                .threadFactory(Slow::new)
                .build()) {
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch leave = new CountDownLatch(1);
            Actors actors = Actors.create(spindle);
            ActorRef<Integer> ref = actors.actor("busy", () -> (message, self) -> {
                entered.countDown();
                await(leave);
            });
            ref.send(1);
            await(entered);
            Thread closer = new Thread(() -> actors.close(Duration.ZERO));
            closer.start();
            await(sending); // the closer has read the thread of the turn
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            CompletableFuture<Boolean> next = spindle.submit(() -> {
                begun.countDown();
                boolean interrupted = false;
                while (end.getCount() > 0) {
                    interrupted |= Thread.interrupted();
                }
                return interrupted;
            });
            leave.countDown();
            boolean early = begun.await(300, TimeUnit.MILLISECONDS); // waits in vain unless the turn has not waited
            send.countDown();
            closer.join();
            await(begun);
            end.countDown();

            assertThat(early).isFalse();
            assertThat(resultOf(next)).isFalse();
        }
    }
}
