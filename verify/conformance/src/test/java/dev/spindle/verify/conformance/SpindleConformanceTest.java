// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Spindle;

/** The pool itself: plain tasks of a spindle with two workers. */
class SpindleConformanceTest extends ScheduledConformance {
    private static final Subject<Spindle> SUBJECT =
            Subject.ofPool("spindle", 2, () -> Hosts.of(2, 2), Trait.DUE_TASKS_MAY_SWAP);

    SpindleConformanceTest() {
        super(SUBJECT);
    }
}
