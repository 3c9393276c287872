// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** The states of a worker: the values of {@code Worker.state}. */
enum WorkerState {
    AWAKE,
    IDLE,
    ENDING
}
