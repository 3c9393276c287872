// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** Receives the events of a run from one thread, and has them handled. */
interface Dispatcher extends AutoCloseable {

    /** Submits the task that handles the next event of the aircraft. */
    void dispatch(Aircraft aircraft, Runnable handling);

    /** Waits until all tasks have run, and shuts down the threads. */
    @Override
    void close();
}
