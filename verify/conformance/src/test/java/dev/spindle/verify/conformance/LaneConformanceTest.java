// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Lane;
import org.junit.jupiter.api.Nested;

/** The lane of a key, which is an {@link java.util.concurrent.Executor} and no more. */
class LaneConformanceTest {
    private static final Subject<Lane> SUBJECT =
            Subject.of("lane", 1, owned -> Hosts.owned(owned).keyed("keys").at("key"));

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
}
