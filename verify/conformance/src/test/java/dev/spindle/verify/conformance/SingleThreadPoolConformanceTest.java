// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;

/** Control: the JDK's pool of one thread. */
class SingleThreadPoolConformanceTest extends ServiceConformance {
    private static final Subject<ThreadPoolExecutor> SUBJECT = Subject.ofPool(
            "ThreadPoolExecutor of one thread",
            1,
            () -> new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Hosts.quietThreads()),
            Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN,
            Trait.CLOSE_BY_AN_OWN_TASK_HANGS,
            Trait.COLD_SHUTDOWN_LOSES_TASKS,
            Trait.FAILED_TASKS_LET_NEW_ONES_OVERTAKE);

    SingleThreadPoolConformanceTest() {
        super(SUBJECT);
    }

    @Nested
    class Serial extends SerialContract {
        Serial() {
            super(SUBJECT);
        }
    }
}
