// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Control: the JDK's pool of two threads. */
class FixedThreadPoolConformanceTest extends ServiceConformance {
    private static final Subject<ThreadPoolExecutor> SUBJECT = Subject.ofPool(
            "ThreadPoolExecutor",
            2,
            () -> new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Hosts.quietThreads()),
            Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN,
            Trait.CLOSE_BY_AN_OWN_TASK_HANGS,
            Trait.COLD_SHUTDOWN_LOSES_TASKS);

    FixedThreadPoolConformanceTest() {
        super(SUBJECT);
    }
}
