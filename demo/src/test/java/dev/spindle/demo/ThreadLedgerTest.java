// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
class ThreadLedgerTest {

    private static final int NAPS = 20;

    private final ThreadLedger ledger = new ThreadLedger();

    @Test
    void peakThreads_threadsAtOnce_countsThem() throws InterruptedException {
        CountDownLatch allRun = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            ledger.newThread(() -> {
                        allRun.countDown();
                        awaitUninterruptibly(allRun);
                    })
                    .start();
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
    @EnabledOnOs(OS.LINUX)
    void switches_threadThatWaits_areCountedWhileItLivesAndAfter() throws InterruptedException {
        CountDownLatch napped = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        ledger.newThread(() -> {
                    for (int i = 0; i < NAPS; i++) {
                        LockSupport.parkNanos(100_000);
                    }
                    napped.countDown();
                    awaitUninterruptibly(seen);
                })
                .start();
        napped.await();

        long living = ledger.switches();
        seen.countDown();
        ledger.join();

        assertThat(living).isPositive();
        assertThat(ledger.switches()).isGreaterThanOrEqualTo(living);
    }

    @Test
    void virtualPeak_beginningsAndEnds_isTheMostAtOnce() {
        ledger.virtualBegins();
        ledger.virtualBegins();
        ledger.virtualEnds();
        ledger.virtualBegins();

        assertThat(ledger.virtualPeak()).isEqualTo(2);
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
