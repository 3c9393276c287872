// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.LogicalExecutor;
import org.junit.jupiter.api.Nested;

/** A logical executor of one place. */
class SerialLogicalExecutorConformanceTest {
    private static final Subject<LogicalExecutor> SUBJECT = Subject.of(
            "logical executor of one place",
            1,
            owned -> {
                LogicalExecutor executor =
                        Hosts.owned(owned).executor("one").maxConcurrency(1).build();
                owned.accept(executor);
                return executor;
            },
            Trait.DUE_TASKS_MAY_SWAP);

    @Nested
    class Execute extends ExecuteContract {
        Execute() {
            super(SUBJECT);
        }
    }

    @Nested
    class Serial extends SerialContract {
        Serial() {
            super(SUBJECT);
        }
    }

    @Nested
    class Submit extends SubmitContract {
        Submit() {
            super(SUBJECT);
        }
    }

    @Nested
    class Futures extends FutureContract {
        Futures() {
            super(SUBJECT);
        }
    }

    @Nested
    class FutureStates extends FutureStateContract {
        FutureStates() {
            super(SUBJECT);
        }
    }

    @Nested
    class InvokeAll extends InvokeAllContract {
        InvokeAll() {
            super(SUBJECT);
        }
    }

    @Nested
    class InvokeAny extends InvokeAnyContract {
        InvokeAny() {
            super(SUBJECT);
        }
    }

    @Nested
    class Interrupt extends InterruptContract {
        Interrupt() {
            super(SUBJECT);
        }
    }

    @Nested
    class Rejection extends RejectionContract {
        Rejection() {
            super(SUBJECT);
        }
    }

    @Nested
    class Shutdown extends ShutdownContract {
        Shutdown() {
            super(SUBJECT);
        }
    }

    @Nested
    class ShutdownNow extends ShutdownNowContract {
        ShutdownNow() {
            super(SUBJECT);
        }
    }

    @Nested
    class Close extends CloseContract {
        Close() {
            super(SUBJECT);
        }
    }

    @Nested
    class ShutdownRace extends ShutdownRaceContract {
        ShutdownRace() {
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
    class SerialSchedule extends SerialScheduleContract {
        SerialSchedule() {
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
