// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Strand;
import org.junit.jupiter.api.Nested;

/**
 * A strand of a spindle of one thread on which another lane always has tasks: the strand's tasks and timers run all the
 * same.
 */
class BusyWorkerConformanceTest {
    private static final Subject<Strand> SUBJECT = Subject.of(
            "strand with another lane that always has tasks",
            1,
            owned -> {
                Strand strand = Hosts.busy(owned).strand("strand");
                owned.accept(strand);
                return strand;
            },
            Trait.DUE_TASKS_MAY_SWAP);

    @Nested
    class Execute extends ExecuteContract {
        Execute() {
            super(SUBJECT);
        }
    }

    @Nested
    class Schedule extends ScheduleContract {
        Schedule() {
            super(SUBJECT);
        }
    }

    @Nested
    class Periodic extends PeriodicContract {
        Periodic() {
            super(SUBJECT);
        }
    }

    @Nested
    class ScheduledShutdown extends ScheduledShutdownContract {
        ScheduledShutdown() {
            super(SUBJECT);
        }
    }
}
