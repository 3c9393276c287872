// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.LogicalExecutor;

/** A logical executor, as a replacement of a fixed thread pool. */
class LogicalExecutorConformanceTest extends ScheduledConformance {
    private static final Subject<LogicalExecutor> SUBJECT = Subject.of(
            "logical executor",
            2,
            owned -> {
                LogicalExecutor executor = Hosts.owned(owned).executor("two", 2);
                owned.accept(executor);
                return executor;
            },
            Trait.DUE_TASKS_MAY_SWAP);

    LogicalExecutorConformanceTest() {
        super(SUBJECT);
    }
}
