// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Control: the JDK's scheduled pool of one thread. */
class SingleThreadScheduledPoolConformanceTest extends SerialScheduledConformance {
    private static final Subject<ScheduledThreadPoolExecutor> SUBJECT = Subject.ofPool(
            "ScheduledThreadPoolExecutor of one thread",
            1,
            () -> new ScheduledThreadPoolExecutor(1, Hosts.quietThreads()),
            Trait.SHUTDOWN_NOW_RETURNS_WRAPPERS,
            Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN,
            Trait.CANCELLED_DELAYED_TASKS_HOLD_TERMINATION,
            Trait.CLOSE_BY_AN_OWN_TASK_HANGS,
            Trait.COLD_SHUTDOWN_LOSES_TASKS,
            Trait.SHUTDOWN_CANCELS_RACING_SUBMITS);

    SingleThreadScheduledPoolConformanceTest() {
        super(SUBJECT);
    }
}
