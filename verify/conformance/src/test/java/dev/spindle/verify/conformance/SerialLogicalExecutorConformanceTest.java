// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.LogicalExecutor;

/** A logical executor of one place. */
class SerialLogicalExecutorConformanceTest extends SerialScheduledConformance {
    private static final Subject<LogicalExecutor> SUBJECT = Subject.of(
            "logical executor of one place",
            1,
            owned -> {
                LogicalExecutor executor = Hosts.owned(owned).executor("one", 1);
                owned.accept(executor);
                return executor;
            },
            Trait.DUE_TASKS_MAY_SWAP);

    SerialLogicalExecutorConformanceTest() {
        super(SUBJECT);
    }
}
