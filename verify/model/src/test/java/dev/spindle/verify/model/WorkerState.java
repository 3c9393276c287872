// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** What a worker is, as the fields of {@code Worker.state} say. */
enum WorkerState {
    AWAKE,
    IDLE,
    ENDING
}
