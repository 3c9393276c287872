// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Nested;

/** Every contract of an {@link ExecutorService}, for one kind of executor. */
abstract class ServiceConformance {
    private final Subject<? extends ExecutorService> service;

    ServiceConformance(Subject<? extends ExecutorService> service) {
        this.service = service;
    }

    @Nested
    class Execute extends ExecuteContract {
        Execute() {
            super(service);
        }
    }

    @Nested
    class Submit extends SubmitContract {
        Submit() {
            super(service);
        }
    }

    @Nested
    class Futures extends FutureContract {
        Futures() {
            super(service);
        }
    }

    @Nested
    class FutureStates extends FutureStateContract {
        FutureStates() {
            super(service);
        }
    }

    @Nested
    class InvokeAll extends InvokeAllContract {
        InvokeAll() {
            super(service);
        }
    }

    @Nested
    class InvokeAny extends InvokeAnyContract {
        InvokeAny() {
            super(service);
        }
    }

    @Nested
    class Interrupt extends InterruptContract {
        Interrupt() {
            super(service);
        }
    }

    @Nested
    class Rejection extends RejectionContract {
        Rejection() {
            super(service);
        }
    }

    @Nested
    class Shutdown extends ShutdownContract {
        Shutdown() {
            super(service);
        }
    }

    @Nested
    class ShutdownNow extends ShutdownNowContract {
        ShutdownNow() {
            super(service);
        }
    }

    @Nested
    class Close extends CloseContract {
        Close() {
            super(service);
        }
    }

    @Nested
    class ShutdownRace extends ShutdownRaceContract {
        ShutdownRace() {
            super(service);
        }
    }
}
