// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** Thrown by a push when no worker exists and none could be started. */
public final class NoThreadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoThreadException() {
        super("no worker thread exists and none could be started", null, false, false);
    }
}
