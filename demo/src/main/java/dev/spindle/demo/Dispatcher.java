// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** Takes the events of a run, one after the other from one thread, and has them handled. */
interface Dispatcher extends AutoCloseable {

    /** Has the task run that handles the next event of the aircraft. */
    void dispatch(Aircraft aircraft, Runnable handling);

    /** Returns when everything given has run and the threads are told to end. */
    @Override
    void close();
}
