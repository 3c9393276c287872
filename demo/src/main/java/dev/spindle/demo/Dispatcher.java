// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** Receives the events of a run from one thread and submits them to executors. */
interface Dispatcher extends AutoCloseable {

    /** Submits the task that handles the next event of an aircraft. */
    void dispatch(Aircraft aircraft, Runnable handling);

    /** Waits until all tasks have run, and shuts the executors down. */
    @Override
    void close();
}
