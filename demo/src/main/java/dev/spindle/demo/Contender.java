// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** A way to handle the events of each aircraft in order. */
interface Contender {

    /** Returns the name in the table. */
    String name();

    /** Returns a short description of how it keeps the order. */
    String method();

    /** Returns true if it promises the order, so that events out of order are a failure and not a finding. */
    boolean promisesOrder();

    /** Starts it, with threads of the given ledger only. */
    Dispatcher open(ThreadLedger ledger);
}
