// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

/** The promises whose violation a log can show; {@code docs/promises.md} defines them. */
enum Promise {
    K2("turns of a lane never overlap"),
    K3("tasks run in the order of their submits"),
    K4("earlier writes are visible: no plain field is stale"),
    K5("a submit to the own lane is queued, never run at once"),
    K6("a wait for the own lane is refused at once, and no other without a cycle"),
    K8("pause, cancelPending and quiesce keep the lane's order"),
    L1("a superseded task does not run"),
    L2("the last coalescing submit runs once; runs never go back"),
    F1("a failure is reported once, by the future or the handler"),
    F2("a task starts with its interrupt flag clear"),
    F3("an accepted task runs once, or is returned, superseded, cancelled or dropped; a refused one never runs"),
    F4("a task is refused or dropped only at a bound, and bounds hold"),
    A1("an async task holds its lane until its stage completes"),
    A2("a delayed task completes its future; a periodic one ends when it throws, or at a shutdown"),
    D1("a shutdown refuses, runs or returns tasks as documented, and ends"),
    T1("never more threads than the maximum"),
    LIMIT("a logical executor runs no more at once than its limit"),
    OTHER("no other failure");

    private final String text;

    Promise(String text) {
        this.text = text;
    }

    /** Returns the name and the text. */
    String text() {
        return name() + " (" + text + ")";
    }
}
