// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counts of one backend. Any thread may count and read. A reload that changes a backend resets its counts. */
public final class BackendMetrics {
    /** Attempts that got a connection. An attempt that lost an idle connection and got another is counted twice. */
    public final LongAdder calls = new LongAdder();
    /** Attempts that ended without an answer, including cancelled attempts. */
    public final LongAdder failures = new LongAdder();
    /** Attempts to open a connection, including failed attempts. */
    public final LongAdder connections = new LongAdder();

    /** Creates counts, all of them zero. */
    public BackendMetrics() {}
}
