// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PerfFutexTest {
    @Test
    void perf_itsList_isWaitsAndWakes() {
        assertThat(PerfFutex.parse(List.of(
                        "# started on Mon",
                        "",
                        "3018,,syscalls:sys_enter_futex,1804,100.00,,",
                        "<not counted>,,syscalls:sys_enter_futex,0,100.00,,",
                        "12,,syscalls:sys_exit_futex,1804,100.00,,")))
                .isEqualTo(new PerfFutex.Calls(3_018, 12));
    }

    @Test
    void perf_somethingElse_holdsIt() {
        assertThatThrownBy(() -> PerfFutex.parse(List.of("no permission")))
                .hasMessage("three counts expected from perf, got [no permission]");
    }

    @Test
    @Timeout(60)
    void perf_threadsThatPark_areCounted() throws InterruptedException {
        assumeTrue(PerfFutex.works(), "perf may not count system calls here");
        PerfFutex counter = new PerfFutex();
        Semaphore there = new Semaphore(0);
        Semaphore back = new Semaphore(0);
        int trips = 1_000;
        counter.begin();
        Thread echo = new Thread(() -> {
            for (int trip = 0; trip < trips; trip++) {
                there.acquireUninterruptibly();
                back.release();
            }
        });
        echo.start();
        for (int trip = 0; trip < trips; trip++) {
            there.release();
            back.acquire();
        }
        echo.join();

        PerfFutex.Calls calls = counter.end();

        assertThat(calls.waits()).isGreaterThan(trips / 10);
        assertThat(calls.wakes()).isGreaterThan(trips / 10);
    }
}
