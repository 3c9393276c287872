// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import java.util.concurrent.atomic.LongAdder;

/** Counts of one backend. */
final class BackendMetrics {
    /** Attempts that got a connection. */
    final LongAdder calls = new LongAdder();
    /** Attempts that ended without an answer, for whatever reason. */
    final LongAdder failures = new LongAdder();
    /** Connections that were opened. */
    final LongAdder connections = new LongAdder();
}
