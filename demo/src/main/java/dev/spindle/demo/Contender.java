// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** One way to handle the events of each aircraft in order. */
interface Contender {

    /** Returns the name in the table. */
    String name();

    /** Returns a short description of the method. */
    String method();

    /** Returns true if events out of order are a failure, because the contender promises the order. */
    boolean promisesOrder();

    /** Creates the contender's executors, whose platform threads are created by {@code ledger}. */
    Dispatcher open(ThreadLedger ledger);
}
