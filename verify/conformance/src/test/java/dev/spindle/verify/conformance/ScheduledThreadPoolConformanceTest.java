// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Control: the JDK's scheduled pool of two threads. */
class ScheduledThreadPoolConformanceTest extends ScheduledConformance {
    private static final Subject<ScheduledThreadPoolExecutor> SUBJECT = Subject.ofPool(
            "ScheduledThreadPoolExecutor",
            2,
            () -> new ScheduledThreadPoolExecutor(2, Hosts.quietThreads()),
            Trait.SHUTDOWN_NOW_RETURNS_WRAPPERS,
            Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN,
            Trait.CANCELLED_DELAYED_TASKS_HOLD_TERMINATION,
            Trait.CLOSE_BY_AN_OWN_TASK_HANGS,
            Trait.COLD_SHUTDOWN_LOSES_TASKS,
            Trait.SHUTDOWN_CANCELS_RACING_SUBMITS);

    ScheduledThreadPoolConformanceTest() {
        super(SUBJECT);
    }
}
