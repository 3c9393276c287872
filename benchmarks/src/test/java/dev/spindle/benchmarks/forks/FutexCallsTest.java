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

class FutexCallsTest {
    @Test
    void strace_betweenTheMarks_splitsWaitsAndWakesAndTakesOfTheDriverWhatWokeSomebody() {
        FutexCalls calls = StraceFutex.parse(List.of(
                "7  futex(0x1, FUTEX_WAKE_PRIVATE, 1) = 1",
                "5  access(\"/spindle-bench-futex-begin\", F_OK) = -1 ENOENT (No such file or directory)",
                "5  futex(0x1, FUTEX_WAIT_BITSET_PRIVATE, 0, {tv_sec=1}, FUTEX_BITSET_MATCH_ANY <unfinished ...>",
                "7  futex(0x1, FUTEX_WAKE_PRIVATE, 1 <unfinished ...>",
                "5  <... futex resumed>) = 0",
                "7  <... futex resumed>) = 1",
                "5  futex(0x1, FUTEX_WAKE_PRIVATE, 1) = 0",
                "5  futex(0x3, FUTEX_WAKE_PRIVATE, 1 <unfinished ...>",
                "7  <... futex resumed>) = 1",
                "5  <... futex resumed>) = 1",
                "7  futex(0x2, FUTEX_WAIT_PRIVATE, 2, NULL) = -1 EAGAIN (Resource temporarily unavailable)",
                "12  futex(0x2, FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, 2, NULL, 1) = 0",
                "5  access(\"/spindle-bench-futex-end\", F_OK) = -1 ENOENT (No such file or directory)",
                "7  futex(0x1, FUTEX_WAKE_PRIVATE, 1) = 1"));

        assertThat(calls).isEqualTo(new FutexCalls(2, 2));
    }

    @Test
    void strace_noEnd_saysSo() {
        assertThatThrownBy(() -> StraceFutex.parse(List.of("5  access(\"/spindle-bench-futex-begin\", F_OK) = -1")))
                .hasMessage("no begin and end in the log of strace, of 1 lines");
    }

    @Test
    void perf_itsList_isWaitsAndWakes() {
        assertThat(PerfFutex.parse(List.of(
                        "# started on Mon",
                        "",
                        "3018,,syscalls:sys_enter_futex,1804,100.00,,",
                        "<not counted>,,syscalls:sys_enter_futex,0,100.00,,",
                        "12,,syscalls:sys_exit_futex,1804,100.00,,")))
                .isEqualTo(new FutexCalls(3_018, 12));
    }

    @Test
    void perf_somethingElse_holdsIt() {
        assertThatThrownBy(() -> PerfFutex.parse(List.of("no permission")))
                .hasMessage("three counts expected from perf, got [no permission]");
    }

    @Test
    @Timeout(60)
    void perf_threadsThatPark_areCounted() throws InterruptedException {
        assumeTrue(FutexCalls.Tool.PERF.works(), "perf may not count system calls here");
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

        FutexCalls calls = counter.end();

        assertThat(calls.waits()).isGreaterThan(trips / 10);
        assertThat(calls.wakes()).isGreaterThan(trips / 10);
    }
}
