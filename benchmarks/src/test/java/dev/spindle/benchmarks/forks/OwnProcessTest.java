// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OwnProcessTest {
    @Test
    void threadCpu_afterWork_hasGrown() {
        long others = ThreadCpu.others();
        long own = ThreadCpu.own();
        long end = System.nanoTime() + 50_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }

        assertThat(ThreadCpu.own() + ThreadCpu.others()).isGreaterThan(own + others);
        assertThat(ThreadCpu.others()).isGreaterThanOrEqualTo(others);
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
        double sinceOrigin = now.since(origin).voluntary();
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
