// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** A way to have events handled in order for each aircraft. */
interface Contender {

    /** What the table calls it. */
    String name();

    /** How it keeps the order, in a few words. */
    String method();

    /** Whether it promises the order, so that breaking it is a failure and no finding. */
    boolean promisesOrder();

    /** Starts it, with threads of the given account only. */
    Dispatcher open(ThreadLedger ledger);
}
