// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** A way to run the tasks of a replay. */
interface Contender {

    /** What the table calls it. */
    String name();

    /** Starts it on the given world, with threads of the given factory only. */
    Dispatcher open(World world, ThreadLedger threads);
}
