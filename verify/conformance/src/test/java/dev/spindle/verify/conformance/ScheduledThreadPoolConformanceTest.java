// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.Nested;

/** Control: the JDK's scheduled pool of two threads. */
class ScheduledThreadPoolConformanceTest {
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

    @Nested
    class Execute extends ExecuteContract {
        Execute() {
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
