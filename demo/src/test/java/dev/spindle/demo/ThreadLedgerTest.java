// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadLedgerTest {

    private final ThreadLedger ledger = new ThreadLedger("test");

    @Test
    void peakThreads_threadsAtOnce_countsThemWithoutTheFeeder() throws InterruptedException {
        CountDownLatch allRun = new CountDownLatch(4);
        Runnable body = () -> {
            allRun.countDown();
            awaitUninterruptibly(allRun);
        };
        ledger.newFeeder(body).start();
        for (int i = 0; i < 3; i++) {
            ledger.newThread(body).start();
        }
        ledger.join();

        assertThat(ledger.peakThreads()).isEqualTo(3);
    }

    @Test
    void peakThreads_threadsOneAfterTheOther_isOne() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Thread thread = ledger.newThread(() -> {});
            thread.start();
            thread.join();
        }

        assertThat(ledger.peakThreads()).isEqualTo(1);
    }

    @Test
    void cpuNanos_threadEnded_isEntered() throws InterruptedException {
        ledger.newThread(() -> SimulatedWork.increment(1_000_000)).start();
        ledger.join();

        assertThat(ledger.cpuNanos()).isPositive();
    }

    @Test
    void failures_threadThatThrows_isCountedWithTheFirstCause() throws InterruptedException {
        RuntimeException failure = new RuntimeException("first");
        ledger.newThread(() -> {
                    throw failure;
                })
                .start();
        ledger.join();
        ledger.failed(new RuntimeException("second"));

        assertThat(ledger.failures()).isEqualTo(2);
        assertThat(ledger.firstFailure()).isSameAs(failure);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
