// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Nested;

/** Every contract of a {@link ScheduledExecutorService}, for one kind of executor. */
abstract class ScheduledConformance extends ServiceConformance {
    private final Subject<? extends ScheduledExecutorService> scheduled;

    ScheduledConformance(Subject<? extends ScheduledExecutorService> scheduled) {
        super(scheduled);
        this.scheduled = scheduled;
    }

    @Nested
    class Schedule extends ScheduleContract {
        Schedule() {
            super(scheduled);
        }
    }

    @Nested
    class Periodic extends PeriodicContract {
        Periodic() {
            super(scheduled);
        }
    }

    @Nested
    class ScheduledShutdown extends ScheduledShutdownContract {
        ScheduledShutdown() {
            super(scheduled);
        }
    }
}
