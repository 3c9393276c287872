// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/** Makes the threads of a pool that run no tasks, in tests. */
interface ServiceThreads {
    /** Returns a new thread that is not started. */
    Thread of(Runnable body, String name);
}
