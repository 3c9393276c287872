// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.RejectedExecutionException;

/**
 * The rejection of a lane's turn by the executor of a user. The lane has then ended its waiting tasks and is idle. A
 * submit passes this rejection to its caller, whose task is the first of these tasks.
 */
public final class Refusal extends RejectedExecutionException {
    private static final long serialVersionUID = 1;

    private final transient Runnable report;

    /** Creates a rejection; {@code report} reports the first task, which no caller submits now. */
    public Refusal(String message, Throwable cause, Runnable report) {
        super(message, cause);
        this.report = report;
    }

    /** Reports the first task, since no submitter gets this rejection. */
    public void report() {
        report.run();
    }
}
