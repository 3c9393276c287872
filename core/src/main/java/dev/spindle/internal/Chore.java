// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** A piece of the library's own work that a worker does between tasks; not counted as a task, never throws. */
public interface Chore extends Runnable {}
