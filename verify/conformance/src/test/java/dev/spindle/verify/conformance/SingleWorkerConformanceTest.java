// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Spindle;

/** A spindle with one worker, which runs all tasks. */
class SingleWorkerConformanceTest extends ScheduledConformance {
    private static final Subject<Spindle> SUBJECT =
            Subject.ofPool("spindle with one worker", 1, () -> Hosts.of(1, 1), Trait.DUE_TASKS_MAY_SWAP);

    SingleWorkerConformanceTest() {
        super(SUBJECT);
    }
}
