// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

/** The promises that a log can show to be broken, by their numbers in docs/promises.md. */
enum Promise {
    K2("turns of a lane never overlap"),
    K3("tasks run in the order of their submits"),
    K4("what happened before is seen: no plain field is stale"),
    K5("a submit to the own lane is queued, never run at once"),
    K6("a wait for the own lane is refused at once, and no other without a cycle"),
    K8("pause, cancelPending and quiesce keep the lane's order"),
    L1("what was superseded or cancelled does not run"),
    L2("the last coalescing submit runs, once; runs never go back"),
    F1("a failure is told once, and to whom it concerns"),
    F2("a task starts with its interrupt flag clear"),
    F3("an accepted task runs once, or is returned, superseded, cancelled or dropped; a refused one never runs"),
    F4("a task is refused or dropped only at a bound, and bounds hold"),
    A1("an async task holds its lane until its stage completes"),
    A2("a delayed task completes its future; a periodic one ends when it throws, or at a shutdown"),
    D1("a shutdown refuses, runs or returns what it says, and ends"),
    T1("never more threads than the maximum"),
    LIMIT("a logical executor runs no more at once than its limit"),
    OTHER("nothing else goes wrong");

    private final String text;

    Promise(String text) {
        this.text = text;
    }

    /** The number and what it says. */
    String text() {
        return name() + " (" + text + ")";
    }
}
