// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;

/** Control: the JDK's pool of one thread. */
class SingleThreadPoolConformanceTest {
    private static final Subject<ThreadPoolExecutor> SUBJECT = Subject.ofPool(
            "ThreadPoolExecutor of one thread",
            1,
            () -> new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Hosts.quietThreads()),
            Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN,
            Trait.CLOSE_BY_AN_OWN_TASK_HANGS,
            Trait.COLD_SHUTDOWN_LOSES_TASKS,
            Trait.FAILED_TASKS_LET_NEW_ONES_OVERTAKE);

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
}
