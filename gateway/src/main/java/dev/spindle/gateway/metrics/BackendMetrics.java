// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counts of one backend. Any thread may count and read. A reload that changes a backend resets its counts. */
public final class BackendMetrics {
    /** Attempts that got a connection. */
    public final LongAdder calls = new LongAdder();
    /** Attempts that ended without an answer, for any reason. */
    public final LongAdder failures = new LongAdder();
    /** Connections that were opened. */
    public final LongAdder connections = new LongAdder();

    /** Creates counts, all of them zero. */
    public BackendMetrics() {}
}
