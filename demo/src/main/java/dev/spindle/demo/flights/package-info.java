// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The flights that the demo replays: their file format, their events in order, and the states of the aircraft. */
@NullMarked
package dev.spindle.demo.flights;

import org.jspecify.annotations.NullMarked;
