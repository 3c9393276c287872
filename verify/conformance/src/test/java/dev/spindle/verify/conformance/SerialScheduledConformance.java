// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Nested;

/** Every contract of a scheduled executor that runs one task at a time, for one kind of executor. */
abstract class SerialScheduledConformance extends ScheduledConformance {
    private final Subject<? extends ScheduledExecutorService> serial;

    SerialScheduledConformance(Subject<? extends ScheduledExecutorService> serial) {
        super(serial);
        this.serial = serial;
    }

    @Nested
    class Serial extends SerialContract {
        Serial() {
            super(serial);
        }
    }

    @Nested
    class SerialSchedule extends SerialScheduleContract {
        SerialSchedule() {
            super(serial);
        }
    }
}
