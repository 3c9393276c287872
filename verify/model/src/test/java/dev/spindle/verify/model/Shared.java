// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** Shared variables; IDLE is a stack of up to three workers, ENTRY and DONE are sets of tasks. */
enum Shared {
    LOCK,
    SEARCHING,
    AWAKE,
    BLOCKED,
    LIMIT,
    ARMED,
    UNWATCHED,
    WATCHER,
    THREADS,
    EXPIRING,
    FINISHING,
    STOPPING,
    TIMER,
    ENTRY,
    DONE,
    IDLE0,
    IDLE1,
    IDLE2,
    IDLES
}
