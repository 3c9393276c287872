// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OwnProcessTest {
    @Test
    void threadCpu_afterWork_hasGrown() {
        ThreadCpu before = ThreadCpu.now();
        long end = System.nanoTime() + 50_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }

        assertThat(before.nanosSince()).isPositive();
    }

    @Test
    void ofCompilers_whereLinuxCounts_isPartOfTheProcess() {
        assumeThat(Path.of("/proc/thread-self/schedstat")).isReadable();

        assertThat(ThreadCpu.ofCompilers()).isPositive().isLessThan(OwnProcess.cpuNanos());
    }

    @Test
    void threadCpu_threadThatEndsMeanwhile_takesNothingAway() throws InterruptedException {
        CountDownLatch worked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            long end = System.nanoTime() + 100_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            worked.countDown();
            Interruptions.ignoring(release::await);
        });
        other.start();
        worked.await();
        ThreadCpu before = ThreadCpu.now();
        release.countDown();
        other.join();

        assertThat(before.nanosSince()).isNotNegative();
    }

    @Test
    void threadCpu_threadThatWorksAndEndsMeanwhile_isCounted() throws InterruptedException {
        long worked = 200_000_000;
        ThreadCpu before = ThreadCpu.now();
        Thread other = new Thread(() -> {
            long begin = OwnProcess.cpuNanos();
            while (OwnProcess.cpuNanos() - begin < worked) {
                Thread.onSpinWait();
            }
        });
        other.start();
        other.join();

        assertThat(before.nanosSince()).isGreaterThan(worked / 2);
    }

    @Test
    void switches_ofAPartOfASubjectsLife_areCountedWithoutThoseBefore() throws InterruptedException {
        ThreadSwitches origin = ThreadSwitches.now();
        CountDownLatch release = new CountDownLatch(1);
        Thread subject = new Thread(() -> Interruptions.ignoring(release::await));
        subject.start();
        ThreadSwitches earlier = ThreadSwitches.now();

        ThreadSwitches now = ThreadSwitches.now();
        release.countDown();
        subject.join();

        double sinceEarlier = now.since(earlier, origin).voluntary();
        double sinceOrigin = now.since(origin, origin).voluntary();
        assertThat(now.ofThreadsAfter(earlier).voluntary()).isIn(0.0, Double.NaN);
        assertThat(Double.isNaN(sinceOrigin) || sinceEarlier <= sinceOrigin).isTrue();
    }

    @Test
    void machine_text_namesJavaAndProcessors() {
        assertThat(Machine.here().text())
                .contains("Java " + System.getProperty("java.version"))
                .contains("on " + Runtime.getRuntime().availableProcessors() + " processors");
    }
}
